import { copyText } from '../../staff/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** A reply that a staff member had begun before a chat ended: it can be copied or discarded, but no longer sent. */
export const UnsentText = (props: { title: string; text: string; onChange: (text: string) => void }) => {
  const { title, text, onChange } = props
  const discard = () => {
    onChange('')
    toast({ title: 'Discarded', action: { label: 'Undo', run: () => onChange(text) } })
  }
  return (
    <section
      aria-label={title}
      css={{ padding: space.snug, borderRadius: radius.control, background: colour.sunk, color: colour.ink }}
    >
      <p css={{ fontWeight: 600 }}>{title}</p>
      <blockquote
        dir="auto"
        css={{
          margin: `${space.tight} 0`,
          maxHeight: '6rem',
          overflow: 'auto',
          overflowWrap: 'anywhere',
          whiteSpace: 'pre-wrap',
        }}
      >
        {text}
      </blockquote>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button look="quiet" onClick={() => copyText(text, 'Copied')}>
          Copy
        </Button>
        <Button look="quiet" onClick={discard}>
          Discard
        </Button>
      </div>
    </section>
  )
}
