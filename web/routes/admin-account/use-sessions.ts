import { sessions } from '../../../events/staff/wire.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../../staff/use-get.ts'

const KEY = '/api/me/sessions'

/** The staff member's own sessions, newest first, and how to end one of them. */
export const useSessions = () => {
  const { data, error, mutate } = useGet(KEY, sessions)
  return {
    sessions: data,
    error,
    retry: () => mutate(),
    /** Resolves once the list no longer has it. */
    end: async (id: string) => {
      await send('DELETE', `${KEY}/${id}`)
      await mutate()
    },
  }
}
