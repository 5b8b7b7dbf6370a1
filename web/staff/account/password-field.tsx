import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { TextField } from '../../ui/form/field.tsx'

/** A password, with a hint while Caps Lock is on: the typed text is hidden. */
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
