import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { withBar } from '../../ui/theme.ts'
import { menuEntry } from '../menu.tsx'
import { sideEntry, sideLabel } from '../side-bar.ts'

/** Its code is fetched on first use. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Opens the command palette, by a button and by Ctrl+K or Cmd+K on every screen; not over a dialog that is open. */
export const PaletteOpener = ({ onSignOut }: { onSignOut: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    const listen = (event: KeyboardEvent) => {
      const isShortcut =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
      if (!isShortcut) return
      event.preventDefault() // the browser's own search
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    document.addEventListener('keydown', listen, { signal: leaving.signal })
    return () => leaving.abort()
  }, [])
  const close = () => setOpen(false)
  const signOut = () => {
    close()
    onSignOut()
  }
  return (
    <>
      <Button
        look="quiet"
        aria-keyshortcuts="Control+K Meta+K"
        data-tip="Search (Ctrl+K)"
        onClick={() => setOpen(true)}
        css={[sideEntry, { [withBar]: menuEntry }]}
      >
        <SearchIcon /> <span css={sideLabel}>Search</span>
      </Button>
      <Suspense>{isOpen && <Palette onSignOut={signOut} onClose={close} />}</Suspense>
    </>
  )
}
