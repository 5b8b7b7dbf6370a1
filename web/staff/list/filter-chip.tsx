import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { colour, onPhone, radius, shadow, space } from '../../ui/theme.ts'
import { Picker, type PickerProps } from '../forms/picker.tsx'

const panel = {
  position: 'absolute',
  zIndex: 6,
  top: `calc(100% + ${space.hair})`,
  left: 0,
  width: '17rem',
  padding: space.hair,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.card,
  background: colour.sheet,
  boxShadow: shadow.floating,
  [onPhone]: { position: 'fixed', inset: 'auto 0 var(--bar, 0px) 0', width: 'auto', padding: space.snug },
} as const

/**
 * A filter of a list, which a press opens as a menu with a search field. One that narrows the list is highlighted.
 * `name` says what it filters by; only `value` shows.
 */
export const FilterChip = ({
  name,
  value,
  isSet,
  onChoose,
  ...picker
}: { name: string; value: ReactNode; isSet: boolean } & Omit<PickerProps, 'label'>) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const closeOnLeaving = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOpen(false)
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    event.nativeEvent.stopImmediatePropagation()
    close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the menu in it
    <div css={{ position: 'relative' }} onBlur={closeOnLeaving} onKeyDown={closeOnEscape}>
      <Button
        ref={button}
        look="quiet"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`${name}: ${value}`}
        onClick={() => setOpen(!isOpen)}
        css={[
          { fontWeight: 500, whiteSpace: 'nowrap' },
          isSet && { '&&': { borderColor: colour.accent, background: colour.accentWash, color: colour.ink } },
        ]}
      >
        {value} <span aria-hidden>▾</span>
      </Button>
      {isOpen && (
        <div data-menu="" css={panel}>
          <Picker
            {...picker}
            label={name}
            onChoose={(chosen) => {
              close()
              onChoose(chosen)
            }}
          />
        </div>
      )}
    </div>
  )
}
