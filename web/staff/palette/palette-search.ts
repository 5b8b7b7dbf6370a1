import useSWR from 'swr'
import { type Palette, palette } from '../../../events/lead/palette-wire.ts'
import { get } from '../../client/get.ts'
import { useSettled } from '../settled.ts'
import { fits } from './entries.ts'

/** So soon after a key nobody is asked yet: the next one is on its way. */
const TYPING_PAUSE_MS = 60

/** Leads whose names hold each word of a text stand before those that were found by an address or a number. */
const namesFirst = (leads: Palette['leads'], text: string): Palette['leads'] => {
  const isNamed = ({ name, company, businessName }: Palette['leads'][number]) =>
    fits({ name: [name, company, businessName].join(' '), to: '' }, text)
  return leads.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
}

/**
 * The leads and chats that a text may mean; what was found last stays until the next answer. `q` is the text that they were
 * found by.
 */
export const usePaletteSearch = (typed: string) => {
  const settled = useSettled(typed.trim(), TYPING_PAUSE_MS)
  return useSWR<Palette & { q: string }, Error, [string, string] | null>(
    settled ? ['/api/palette', settled] : null,
    async ([path, q]) => {
      const found = await get(`${path}?${new URLSearchParams({ q })}`, palette)
      return { ...found, leads: namesFirst(found.leads, q), q }
    },
    { keepPreviousData: true },
  )
}
