import { listenerSet } from '../client/store.ts'
import { stored } from '../client/stored.ts'

export type Theme = 'light' | 'dark'

const KEY = 'staff-theme'

const onDevice = stored(KEY, 'device', (value): Theme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined,
)

const listeners = listenerSet()

const apply = (theme: Theme | undefined) => {
  const { dataset } = document.documentElement
  if (theme) dataset.theme = theme
  else delete dataset.theme
  listeners.notify()
}

/** The theme that was chosen on this device, in all its tabs; undefined follows the system. */
export const chosenTheme = {
  get: () => document.documentElement.dataset.theme as Theme | undefined,
  subscribe: listeners.add,
  choose: (theme: Theme | undefined) => {
    if (theme) onDevice.keep(theme)
    else onDevice.discard()
    apply(theme)
  },
  /** Applies the stored theme, and from then on each choice of another tab. */
  follow: () => {
    apply(onDevice.read())
    window.addEventListener('storage', ({ key }) => {
      if (key === KEY) apply(onDevice.read())
    })
  },
}
