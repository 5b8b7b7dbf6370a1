import { Button } from '../../../ui/button.tsx'
import { CopyIcon } from '../../../ui/icons.tsx'
import { copyText } from '../../copy-text.ts'

/** A button with an icon in a line of text: no taller than it, except for a thumb. */
export const inLine = {
  '&&': { padding: '0.25rem', borderColor: 'transparent' },
  '@media (pointer: fine)': { '&&': { minHeight: '1.5rem' } },
  '@media (pointer: coarse)': { '&&': { minWidth: '2.75rem' } },
} as const

/** Copies a text that stands before it; `name` says which to screen readers, `done` is the toast. */
export const CopyButton = ({ name, text, done }: { name: string; text: string; done: string }) => (
  <Button look="quiet" aria-label={`Copy ${name}`} onClick={() => copyText(text, done)} css={inLine}>
    <CopyIcon />
  </Button>
)
