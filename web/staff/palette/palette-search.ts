import useSWR from 'swr'
import { type Palette, palette } from '../../../events/lead/screens/palette-wire.ts'
import { get } from '../../client/get.ts'
import { useDebounced } from '../requests/use-debounced.ts'
import { fits } from './entries.ts'

/** No request is sent this soon after a key: the next one is about to follow. */
const TYPING_PAUSE_MS = 60

/** Sorts leads whose names contain each word of a text before those found by an address or a number. */
const namesFirst = (leads: Palette['leads'], text: string): Palette['leads'] => {
  const isNamed = ({ name, company, businessName }: Palette['leads'][number]) =>
    fits({ name: [name, company, businessName].join(' '), to: '' }, text)
  return leads.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
}

/**
 * The leads and chats that a text may mean; the last results stay until the next response. `q` is the text that found
 * them.
 */
export const usePaletteSearch = (typed: string) => {
  const settled = useDebounced(typed.trim(), TYPING_PAUSE_MS)
  return useSWR<Palette & { q: string }, Error, [string, string] | null>(
    settled ? ['/api/palette', settled] : null,
    async ([path, q]) => {
      const found = await get(`${path}?${new URLSearchParams({ q })}`, palette)
      return { ...found, leads: namesFirst(found.leads, q), q }
    },
    { keepPreviousData: true },
  )
}
