import useSWR from 'swr'
import { type Session, sessions } from '../../events/wire/staff.ts'
import { request } from '../http.ts'
import { loader } from '../load.ts'

const KEY = '/api/me/sessions'

/** Where one is signed in, newest first, and how to end one of these sessions. */
export const useSessions = () => {
  const { data, error, mutate } = useSWR<Session[]>(KEY, loader(sessions))
  return {
    sessions: data,
    error,
    retry: () => mutate(),
    /** Resolves once the list is without it. */
    end: async (id: string) => {
      await request(`${KEY}/${id}`, { method: 'DELETE' })
      await mutate()
    },
  }
}
