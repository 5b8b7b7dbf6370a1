import { useEffect, useState } from 'react'
import useSWR from 'swr'
import * as v from 'valibot'
import { type Palette, palette } from '../../../events/wire/palette.ts'
import { request } from '../../http.ts'

/** So soon after a key nobody is asked yet: the next one is on its way. */
const TYPING_PAUSE_MS = 60

const useSettled = (text: string) => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The leads and chats that a text may mean; what was found last stays until the next answer. */
export const usePaletteSearch = (typed: string) => {
  const q = useSettled(typed.trim())
  return useSWR<Palette>(
    q ? `/api/palette?${new URLSearchParams({ q })}` : null,
    async (path: string) => v.parse(palette, await (await request(path)).json()),
    { keepPreviousData: true },
  )
}
