import { createStore } from '../client/store.ts'
import { stored } from '../client/stored.ts'

export type Theme = 'light' | 'dark'

const KEY = 'staff-theme'

const onDevice = stored(KEY, 'device', (value): Theme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined,
)

const store = createStore<{ theme: Theme | undefined }>({ theme: undefined })

const apply = (theme: Theme | undefined) => {
  store.set({ theme })
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
}

/** The theme that was chosen on this device, in all its tabs; undefined follows the system. */
export const chosenTheme = {
  get: () => store.get().theme,
  subscribe: store.subscribe,
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
