import useSWR from 'swr'
import * as v from 'valibot'
import { savedViews } from '../../events/wire/staff.ts'
import { postJson, request, sendJson } from '../http.ts'
import { loader } from '../load.ts'

const KEY = '/api/me/views'

const read = async (answer: Promise<Response>) => v.parse(savedViews, await (await answer).json())

/** The lists of leads that one has named for oneself, by name, and what is done with them. */
export const useSavedViews = () => {
  const { data, error, mutate } = useSWR(KEY, loader(savedViews))
  const shown = async (answer: Promise<Response>) => {
    await mutate(await read(answer), { revalidate: false })
  }
  return {
    views: data ?? [],
    /** Whether there is an answer, or none to be had. */
    isSettled: data !== undefined || error !== undefined,
    add: (view: { name: string; query: string }) => shown(postJson(KEY, view)),
    rename: (id: string, name: string) => shown(sendJson('PATCH', `${KEY}/${id}`, { name })),
    remove: (id: string) => shown(request(`${KEY}/${id}`, { method: 'DELETE' })),
  }
}
