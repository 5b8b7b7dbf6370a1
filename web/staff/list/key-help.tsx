import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { createStore } from '../../client/store.ts'
import { isForOthers } from './list-keys.ts'

/** A part of the help, such as the keys of lists. */
export type KeyGroup = { title: string; keys: readonly { keys: readonly string[]; does: string }[] }

/** Its code is fetched on first use. */
const KeyHelpDialog = lazy(async () => ({ default: (await import('./key-help-dialog.tsx')).KeyHelpDialog }))

const help = createStore<{ isOpen: boolean; more: readonly KeyGroup[] }>({ isOpen: false, more: [] })

const close = () => help.set({ isOpen: false })

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
    <Suspense>
      <KeyHelpDialog more={more} onClose={close} />
    </Suspense>
  )
}
