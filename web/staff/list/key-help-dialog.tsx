import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { colour, from, radius, space, type } from '../../ui/theme.ts'
import type { KeyGroup } from './key-help.tsx'
import { LIST_KEYS } from './list-keys.ts'

const EVERYWHERE: KeyGroup = {
  title: 'Everywhere',
  keys: [
    { keys: ['Ctrl', 'K'], does: 'Go to a screen or a lead, or run a command' },
    { keys: ['Ctrl', 'Enter'], does: 'Add the note, or send the email, that you write' },
    { keys: ['F8'], does: 'Go to the notifications, such as one with Undo' },
    { keys: ['?'], does: 'Show these keys' },
  ],
}

const IN_LISTS: KeyGroup = { title: 'In lists', keys: LIST_KEYS }

const Key = ({ name }: { name: string }) => (
  <kbd
    css={{
      display: 'inline-block',
      minWidth: '1.5rem',
      padding: `0 ${space.hair}`,
      border: `1px solid ${colour.edge}`,
      borderRadius: radius.control,
      background: colour.paper,
      font: 'inherit',
      fontSize: '0.75rem',
      lineHeight: '1.375rem',
      textAlign: 'center',
    }}
  >
    {name}
  </kbd>
)

const Group = ({ title, keys }: KeyGroup) => (
  <section aria-label={title}>
    <h3 css={{ marginBottom: space.tight, fontSize: type.body }}>{title}</h3>
    <dl
      css={{
        display: 'grid',
        gridTemplateColumns: 'auto 1fr',
        gap: `${space.hair} ${space.base}`,
        fontSize: type.small,
      }}
    >
      {keys.map(({ keys: pressed, does }) => (
        <div key={does} css={{ display: 'contents' }}>
          <dt css={{ display: 'flex', gap: space.hair }}>
            {pressed.map((key) => (
              <Key key={key} name={key} />
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </section>
)

export const KeyHelpDialog = ({ more, onClose }: { more: readonly KeyGroup[]; onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" width="46rem" onClose={onClose}>
    <div css={{ display: 'grid', gap: space.roomy, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
      {[...more, IN_LISTS, EVERYWHERE].map((group) => (
        <Group key={group.title} {...group} />
      ))}
    </div>
    <DialogActions>
      <Button look="outline" onClick={onClose}>
        Close
      </Button>
    </DialogActions>
  </Dialog>
)
