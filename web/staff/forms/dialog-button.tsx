import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'

type DialogButtonProps = ComponentProps<typeof Button> & { dialog: (close: () => void) => ReactNode }

/** A button that opens a dialog; `dialog` gets the function that closes it. */
export const DialogButton = ({ dialog, ...button }: DialogButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}
