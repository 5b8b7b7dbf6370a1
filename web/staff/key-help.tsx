import { useEffect, useSyncExternalStore } from 'react'
import { createStore } from '../client/store.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { colour, from, radius, space, type } from '../ui/theme.ts'
import { isForOthers, LIST_KEYS } from './list-keys.ts'

/** A part of the help, such as the keys of lists. */
export type KeyGroup = { title: string; keys: readonly { keys: readonly string[]; does: string }[] }

const EVERYWHERE: KeyGroup = {
  title: 'Everywhere',
  keys: [
    { keys: ['Ctrl', 'K'], does: 'Go to a screen or a lead, or run a command' },
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

const help = createStore<{ isOpen: boolean; more: readonly KeyGroup[] }>({ isOpen: false, more: [] })

const close = () => help.set({ isOpen: false })

/** Shows all keys. */
export const openKeyHelp = () => help.set({ isOpen: true })

/** Adds the keys of a screen to the help while it is open. */
export const useKeysInHelp = (group: KeyGroup) =>
  useEffect(() => {
    help.set({ more: [group] })
    return () => help.set({ more: [] })
  }, [group])

/** The help with all keys of the app, which `?` opens on every screen. */
export const KeyHelp = () => {
  const { isOpen, more } = useSyncExternalStore(help.subscribe, help.get)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isForOthers(event)) return
      event.preventDefault()
      openKeyHelp()
    }
    addEventListener('keydown', listen)
    return () => {
      removeEventListener('keydown', listen)
      close()
    }
  }, [])
  if (!isOpen) return null
  return (
    <Dialog title="Keyboard shortcuts" width="46rem" onClose={close}>
      <div css={{ display: 'grid', gap: space.roomy, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        {[...more, IN_LISTS, EVERYWHERE].map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
      <DialogActions>
        <Button look="outline" onClick={close}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
