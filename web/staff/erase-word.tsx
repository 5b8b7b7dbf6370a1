import { TextField } from '../ui/form/field.tsx'

const WORD = 'erase'

/** Whether somebody has typed the word that erases for good. */
export const isEraseWord = (typed: string) => typed.trim().toLowerCase() === WORD

/** Where an owner types the word, so that nothing is erased by a slip. */
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
