import { copyText } from '../../staff/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space } from '../../ui/theme.ts'

/** What somebody had begun to write in a chat before it ended: to be copied or given up, as it can be sent no more. */
export const UnsentReply = ({ text, onDiscard }: { text: string; onDiscard: () => void }) => (
  <section
    aria-label="Reply that was not sent"
    css={{ padding: space.snug, borderRadius: radius.control, background: colour.sunk, color: colour.ink }}
  >
    <p css={{ fontWeight: 600 }}>Your reply was not sent: the chat ended before.</p>
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
      <Button look="quiet" onClick={() => copyText(text, 'Reply copied')}>
        Copy reply
      </Button>
      <Button look="quiet" onClick={onDiscard}>
        Discard reply
      </Button>
    </div>
  </section>
)
