import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { TextField } from '../ui/form/field.tsx'

/** A password, with a word about Caps Lock while it is on: what is typed cannot be seen. */
export const PasswordField = ({ hint, ...field }: Omit<ComponentProps<typeof TextField>, 'type'>) => {
  const [isCapsOn, setCapsOn] = useState(false)
  const look = (event: KeyboardEvent) => setCapsOn(event.getModifierState('CapsLock'))
  return (
    <TextField
      type="password"
      autoCapitalize="none"
      spellCheck={false}
      onKeyDown={look}
      onKeyUp={look}
      hint={isCapsOn ? 'Caps Lock is on.' : hint}
      {...field}
    />
  )
}
