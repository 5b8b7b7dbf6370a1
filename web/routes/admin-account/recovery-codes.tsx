import { copyText } from '../../staff/copy-text.ts'
import { useUnsaved } from '../../staff/drafts/unsaved.ts'
import { useFirstFocus } from '../../staff/forms/use-first-focus.ts'
import { Button } from '../../ui/button.tsx'
import { panel, space } from '../../ui/theme.ts'

const NOT_STORED = {
  title: 'Leave without your recovery codes?',
  text: 'They are not shown again. Without them and your phone you cannot sign in.',
  leave: 'Leave without them',
  isLost: true,
} as const

/** Recovery codes, shown once, with the ways to store them. Leaving before they are confirmed as stored asks first. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const list = useFirstFocus<HTMLUListElement>()
  const text = codes.join('\n')
  useUnsaved(true, { words: NOT_STORED })
  return (
    <div css={{ display: 'grid', gap: space.base }}>
      <p role="status">
        Keep these recovery codes where you keep your passwords. Each signs you in once, without your phone. They are
        not shown again.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Recovery codes"
        css={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fit, minmax(13rem, 1fr))',
          gap: space.tight,
          listStyle: 'none',
          padding: space.base,
          ...panel,
          fontFamily: 'ui-monospace, monospace',
          outline: 'none',
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button onClick={() => copyText(text, 'Recovery codes copied')}>Copy codes</Button>
        <Button look="outline" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  )
}
