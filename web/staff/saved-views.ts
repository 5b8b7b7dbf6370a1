import { savedViews } from '../../events/staff/wire.ts'
import { read } from '../client/get.ts'
import { send } from '../client/http.ts'
import { useGet } from './use-get.ts'

const KEY = '/api/me/views'

/** The lists of leads that one has named for oneself, by name, and what is done with them. */
export const useSavedViews = () => {
  const { data, error, mutate } = useGet(KEY, savedViews)
  const shown = async (...change: Parameters<typeof send>) => {
    await mutate(await send(...change).then(read(savedViews)), { revalidate: false })
  }
  return {
    views: data ?? [],
    /** Whether there is an answer, or none to be had. */
    isSettled: data !== undefined || error !== undefined,
    add: (view: { name: string; query: string }) => shown('POST', KEY, view),
    rename: (id: string, name: string) => shown('PATCH', `${KEY}/${id}`, { name }),
    remove: (id: string) => shown('DELETE', `${KEY}/${id}`),
  }
}
