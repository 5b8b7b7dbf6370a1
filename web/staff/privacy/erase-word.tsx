import { TextField } from '../../ui/form/field.tsx'

const WORD = 'erase'

/** Whether the typed text is the word that erases for good. */
export const isEraseWord = (typed: string) => typed.trim().toLowerCase() === WORD

/** The field in which an owner types the word, to prevent erasure by mistake. */
export const EraseWord = (props: { typed: string; onType: (typed: string) => void }) => (
  <TextField
    id="erase-word"
    label={`Type "${WORD}" to confirm`}
    autoComplete="off"
    autoCapitalize="none"
    value={props.typed}
    onChange={({ target }) => props.onType(target.value)}
  />
)
