import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isComposing } from '../../../ui/composing.ts'
import { control } from '../../../ui/form/control.ts'
import { onPhone, type } from '../../../ui/theme.ts'
import { MAX_TERM_CHARACTERS } from './address.ts'

const TYPING_PAUSE_MS = 250

const cut = (text: string) => text.slice(0, MAX_TERM_CHARACTERS)

/** On a phone the placeholder takes the whole line; the clear button shows once there is text. */
const roomForPlaceholder = {
  textOverflow: 'ellipsis',
  [onPhone]: {
    '::placeholder': { fontSize: type.small },
    ':placeholder-shown::-webkit-search-cancel-button': { display: 'none' },
  },
} as const

/** The search over the leads of a list: reports the typed text after a pause, at once on Enter. */
export const SearchBox = ({ term, onSearch }: { term: string; onSearch: (term: string) => void }) => {
  const [typed, setTyped] = useState(term)
  const reported = useRef(term)
  const report = useEffectEvent((text: string) => {
    const next = cut(text).toWellFormed().trim()
    if (next === reported.current) return
    reported.current = next
    onSearch(next)
  })
  useEffect(() => {
    const timer = setTimeout(() => report(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // Back, forward and links change the term as well: then, and only then, it differs from the last reported one.
  useEffect(() => {
    if (term === reported.current) return
    reported.current = term
    setTyped(term)
  }, [term])
  return (
    <input
      id="search"
      type="search"
      placeholder="Name, email, phone, company..."
      autoComplete="off"
      maxLength={MAX_TERM_CHARACTERS}
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(cut(event.target.value))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event.nativeEvent) || reported.current === cut(typed).trim()) return
        reported.current = cut(typed).toWellFormed().trim()
        onSearch(reported.current)
      }}
      css={[control, roomForPlaceholder]}
    />
  )
}
