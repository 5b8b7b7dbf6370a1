import type { Alert as Chosen } from '../../../events/staff/staff.ts'
import { alertSettings } from '../../../events/staff/wire.ts'
import { get } from '../../client/get.ts'
import { createStore } from '../../client/store.ts'
import { stored } from '../../client/stored.ts'

const KEY = 'staff-alerts'
const MAX_BODY_CHARACTERS = 140

/** Two short tones, rising: frequency in Hz, beginning in s. */
const TONES = [
  { frequency: 660, at: 0 },
  { frequency: 880, at: 0.14 },
]
const TONE_S = 0.16
const VOLUME = 0.14

/** The ways in which a browser notifies of news. `refusal` is its response to the last request for notifications. */
export type AlertSettings = {
  sound: boolean
  desktop: boolean
  refusal: 'unknown' | 'blocked' | 'dismissed' | undefined
}

/** A notification. Of several with one `tag` the desktop shows the last; `onOpen` is called when it is clicked. */
export type Alert = { title: string; body: string; tag: string; onOpen: () => void }

type SubjectOf<One> = One extends `${infer Name}-page` ? Name : never

/** A subject of the alerts in browsers. */
type Subject = SubjectOf<Chosen>

/** Whether the account has chosen this alert; true if that cannot be read, so that nothing is missed. */
const isWanted = async (subject: Subject): Promise<boolean> => {
  const chosen = await get('/api/me/alerts', alertSettings, { on401: 'null' }).catch(() => null)
  return chosen?.alerts.includes(`${subject}-page`) ?? true
}

const requestPermission = async (): Promise<AlertSettings['refusal']> => {
  if (!('Notification' in window)) return 'unknown'
  const permission = await Notification.requestPermission()
  if (permission === 'granted') return undefined
  return permission === 'denied' ? 'blocked' : 'dismissed'
}

const storedAlerts = stored(KEY, 'device', (value) => {
  const { sound, desktop } = value as Record<string, unknown>
  return { sound: sound === true, desktop: desktop === true }
})

const read = (): AlertSettings => ({ sound: false, desktop: false, ...storedAlerts.read(), refusal: undefined })

/** Returns the function that plays the two tones. */
const openChime = () => {
  let audio: AudioContext | undefined
  return () => {
    audio ??= new AudioContext()
    // a browser allows a page to play sound only after it was touched
    audio.resume().catch(() => {})
    for (const { frequency, at } of TONES) {
      const start = audio.currentTime + at
      const tone = new OscillatorNode(audio, { frequency })
      const loudness = new GainNode(audio, { gain: 0 })
      loudness.gain.setValueAtTime(0, start)
      loudness.gain.linearRampToValueAtTime(VOLUME, start + 0.015)
      loudness.gain.exponentialRampToValueAtTime(0.001, start + TONE_S)
      tone.connect(loudness).connect(audio.destination)
      tone.start(start)
      tone.stop(start + TONE_S)
    }
  }
}

const notify = ({ title, body, tag, onOpen }: Alert) => {
  const shown = [...body].slice(0, MAX_BODY_CHARACTERS).join('')
  // the tag lets several tabs of one browser show it once
  const notification = new Notification(title, { body: shown, tag })
  notification.onclick = () => {
    window.focus()
    notification.close()
    onOpen()
  }
}

const openAlerts = () => {
  const store = createStore(read())
  const chime = openChime()

  const set = (change: Partial<AlertSettings>) => {
    store.set(change)
    const { sound, desktop } = store.get()
    storedAlerts.keep({ sound, desktop })
  }

  /** The permission may be revoked in the browser's settings. */
  const follow = async () => {
    const permission = await navigator.permissions.query({ name: 'notifications' })
    const check = () => {
      if (store.get().desktop && permission.state !== 'granted') set({ desktop: false, refusal: 'blocked' })
    }
    check()
    permission.addEventListener('change', check)
  }
  follow().catch((error) => console.warn('The browser does not report whether notifications are allowed:', error))

  // switched in another tab
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) store.set(read())
  })

  return {
    get: store.get,
    subscribe: store.subscribe,
    turnSound: () => {
      set({ sound: !store.get().sound })
      if (store.get().sound) chime()
    },
    turnDesktop: async () => {
      if (store.get().desktop) return set({ desktop: false })
      const refusal = await requestPermission()
      set({ desktop: refusal === undefined, refusal })
    },
    /** Notifies of news that is not in sight, if the account has chosen it. */
    tell: async (subject: Subject, alert: Alert) => {
      const { sound, desktop } = store.get()
      if (!(sound || desktop) || !(await isWanted(subject))) return
      if (sound) chime()
      if (!desktop) return
      try {
        notify(alert)
      } catch (error) {
        // phones define the constructor, and allow no page to use it
        console.warn('The browser shows no notifications:', error)
        set({ desktop: false, refusal: 'unknown' })
      }
    },
  }
}

/**
 * The sound and the desktop notifications of this browser, as its user has set them, for all staff screens. Only a
 * click that turns them on requests permission.
 */
export const alerts = openAlerts()
