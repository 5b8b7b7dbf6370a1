import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { withBar } from '../../ui/theme.ts'
import { useMe } from '../account/account.ts'
import { currentActions, type ListAction } from '../list/list-keys.ts'
import { menuEntry } from '../menu.tsx'
import { sideEntry, sideLabel } from '../side-bar.ts'
import { useNoteRecent } from './recent-leads.ts'

/** Its code is fetched on first use. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Opens the command palette, by a button and by Ctrl+K or Cmd+K on every screen; not over a dialog that is open. */
export const PaletteOpener = ({ onSignOut }: { onSignOut: () => void }) => {
  const { data: me } = useMe()
  useNoteRecent(me?.id)
  const [isOpen, setOpen] = useState(false)
  const [offered, setOffered] = useState<readonly ListAction[]>([])
  const show = () => {
    setOffered(currentActions())
    setOpen(true)
  }
  const open = useEffectEvent(show)
  useEffect(() => {
    const leaving = new AbortController()
    const listen = (event: KeyboardEvent) => {
      const isShortcut =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
      if (!isShortcut) return
      event.preventDefault() // the browser's own search
      if (!document.querySelector('dialog[open]')) open()
    }
    document.addEventListener('keydown', listen, { signal: leaving.signal })
    return () => leaving.abort()
  }, [])
  const close = () => setOpen(false)
  return (
    <>
      <Button
        look="quiet"
        aria-keyshortcuts="Control+K Meta+K"
        data-tip="Search (Ctrl+K)"
        onClick={show}
        css={[sideEntry, { [withBar]: menuEntry }]}
      >
        <SearchIcon /> <span css={sideLabel}>Search</span>
      </Button>
      {/* not within the menu, which closes */}
      {isOpen &&
        createPortal(
          <Suspense>
            <Palette offered={offered} onSignOut={onSignOut} onClose={close} />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
