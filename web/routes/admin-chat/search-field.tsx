import { useState } from 'react'
import { useDebounced } from '../../staff/requests/use-debounced.ts'
import { control } from '../../ui/form/control.ts'
import { space, unseen } from '../../ui/theme.ts'

const MAX_TERM_CHARACTERS = 200
/** A search begins after this time without typing. */
const SEARCH_DELAY_MS = 300

/** The search term, as typed and as it is once typing has paused. */
export const useTerm = () => {
  const [typed, setTyped] = useState('')
  return { typed, setTyped, term: useDebounced(typed.trim().toWellFormed(), SEARCH_DELAY_MS) }
}

export const SearchField = (props: { id: string; label: string; typed: string; onType: (typed: string) => void }) => (
  <div css={{ padding: `0 ${space.base} ${space.base}` }}>
    <label htmlFor={props.id} css={unseen}>
      {props.label}
    </label>
    <input
      id={props.id}
      type="search"
      placeholder="Name, email, phone, words..."
      maxLength={MAX_TERM_CHARACTERS}
      value={props.typed}
      onChange={(event) => props.onType(event.target.value)}
      css={control}
    />
  </div>
)
