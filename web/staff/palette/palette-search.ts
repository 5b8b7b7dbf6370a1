import useSWR from 'swr'
import * as v from 'valibot'
import { type Palette, palette } from '../../../events/wire/palette.ts'
import { request } from '../../http.ts'
import { useSettled } from '../settled.ts'

/** So soon after a key nobody is asked yet: the next one is on its way. */
const TYPING_PAUSE_MS = 60

/** The leads and chats that a text may mean; what was found last stays until the next answer. */
export const usePaletteSearch = (typed: string) => {
  const q = useSettled(typed.trim(), TYPING_PAUSE_MS)
  return useSWR<Palette>(
    q ? `/api/palette?${new URLSearchParams({ q })}` : null,
    async (path: string) => v.parse(palette, await (await request(path)).json()),
    { keepPreviousData: true },
  )
}
