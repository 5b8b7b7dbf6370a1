import { savedViews } from '../../../events/staff/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { useGet } from '../requests/use-get.ts'

const KEY = '/api/me/views'

/** The lists of leads that the staff member has named, by name, and their changes. */
export const useSavedViews = () => {
  const { data, error, mutate } = useGet(KEY, savedViews)
  const shown = async (...change: Parameters<typeof send>) => {
    await mutate(await send(...change).then(read(savedViews)), { revalidate: false })
  }
  return {
    views: data ?? [],
    /** Whether the request has ended, with a response or an error. */
    isSettled: data !== undefined || error !== undefined,
    add: (view: { name: string; query: string }) => shown('POST', KEY, view),
    rename: (id: string, name: string) => shown('PATCH', `${KEY}/${id}`, { name }),
    remove: (id: string) => shown('DELETE', `${KEY}/${id}`),
  }
}
