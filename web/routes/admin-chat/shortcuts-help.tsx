import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { colour, radius, space } from '../../ui/theme.ts'
import { SHORTCUTS } from './shortcuts.ts'

const Key = ({ name }: { name: string }) => (
  <kbd
    css={{
      display: 'inline-block',
      minWidth: '1.75rem',
      padding: `0 ${space.tight}`,
      border: `1px solid ${colour.edge}`,
      borderRadius: radius.control,
      background: colour.paper,
      font: 'inherit',
      fontSize: '0.8125rem',
      lineHeight: '1.625rem',
      textAlign: 'center',
    }}
  >
    {name}
  </kbd>
)

/** The keys of the console. */
export const ShortcutsHelp = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl css={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: `${space.tight} ${space.roomy}` }}>
      {SHORTCUTS.map(({ keys, does }) => (
        <div key={does} css={{ display: 'contents' }}>
          <dt css={{ display: 'flex', gap: space.hair }}>
            {keys.map((key) => (
              <Key key={key} name={key} />
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <DialogActions>
      <Button look="outline" onClick={onClose}>
        Close
      </Button>
    </DialogActions>
  </Dialog>
)
