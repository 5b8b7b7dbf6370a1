import useSWR from 'swr'
import * as v from 'valibot'
import { type Palette, palette } from '../../../events/wire/palette.ts'
import { request } from '../../http.ts'
import { useSettled } from '../settled.ts'

/** So soon after a key nobody is asked yet: the next one is on its way. */
const TYPING_PAUSE_MS = 60

/**
 * The leads and chats that a text may mean; what was found last stays until the next answer. `q` is the text that they were
 * found by.
 */
export const usePaletteSearch = (typed: string) => {
  const settled = useSettled(typed.trim(), TYPING_PAUSE_MS)
  return useSWR<Palette & { q: string }, Error, [string, string] | null>(
    settled ? ['/api/palette', settled] : null,
    async ([path, q]) => {
      const response = await request(`${path}?${new URLSearchParams({ q })}`)
      return { ...v.parse(palette, await response.json()), q }
    },
    { keepPreviousData: true },
  )
}
