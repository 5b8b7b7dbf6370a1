import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { isErased, type Lead, lead } from '../../../../events/lead/wire.ts'
import { createStore } from '../../../client/store.ts'
import { checkSession } from '../../account/account.ts'
import { refreshColleagues } from '../../account/colleagues.ts'
import { removeDraftsAbout } from '../../drafts/drafts.tsx'

const STREAM = '/api/leads/stream'
const STREAM_RETRY_MS = 5_000
/** The server sends data every two seconds: after this long a silence the connection is dead, however open it looks. */
const SILENCE_MS = 10_000
/** The time over which changes are collected, to redraw a few times only in a burst. */
const GATHER_MS = 200

/**
 * A subscriber of the leads' stream: `onLeads` gets each changed lead once per batch, in its newest state; `onOpen` is
 * called whenever the stream opens, and when leads were removed: the shown leads have to be fetched again then.
 * `onQuarantine` is called when a flagged lead came, changed or was released: `onLeads` gets none of those.
 */
export type LeadFollower = { onLeads?: (fresh: Lead[]) => void; onOpen: () => void; onQuarantine?: () => void }

const followers = new Set<LeadFollower>()
let stream: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let watchdog: ReturnType<typeof setTimeout> | undefined
/** Whether the stream was refused since it was last open or the page became visible. */
let isRefused = false
let gathered = new Map<string, Lead>()
const liveness = createStore({ isLive: true })

/** Says that the stream is not connected; empty if it is. */
export const useLiveWords = () =>
  useSyncExternalStore(liveness.subscribe, () => liveness.get().isLive) ? '' : 'Live updates paused: reconnecting.'

const handOut = () => {
  const fresh = [...gathered.values()]
  gathered = new Map()
  for (const { onLeads } of followers) onLeads?.(fresh)
}

const receive = ({ data }: MessageEvent<string>) => {
  const fresh = v.parse(lead, JSON.parse(data))
  if (isErased(fresh)) removeDraftsAbout(`lead-${fresh.id}`)
  if (gathered.size === 0) setTimeout(handOut, GATHER_MS)
  gathered.set(fresh.id, fresh)
}

const close = () => {
  clearTimeout(retry)
  clearTimeout(watchdog)
  stream?.close()
  stream = undefined
}

const fetchAgain = () => {
  for (const { onOpen } of followers) onOpen()
}

const notifyQuarantine = () => {
  for (const { onQuarantine } of followers) onQuarantine?.()
}

const receiveStaff = () => {
  refreshColleagues()
  checkSession()
}

/** Opens another stream unless data arrives soon. */
const watch = () => {
  clearTimeout(watchdog)
  watchdog = setTimeout(() => {
    liveness.set({ isLive: false })
    open()
  }, SILENCE_MS)
}

/**
 * A browser gives up for good on an error response, without reporting which: the session may have ended, and the page
 * has to try again itself.
 */
const open = () => {
  close()
  const opened = new EventSource(STREAM)
  stream = opened
  const listen = (type: string, act: (event: MessageEvent<string>) => void) =>
    opened.addEventListener(type, (event) => {
      liveness.set({ isLive: true })
      watch()
      act(event)
    })
  watch()
  listen('open', () => {
    isRefused = false
    fetchAgain()
  })
  listen('lead', receive)
  listen('withdrawn', fetchAgain)
  listen('quarantine', notifyQuarantine)
  listen('staff', receiveStaff)
  listen('heartbeat', () => {})
  opened.addEventListener('error', () => {
    liveness.set({ isLive: false })
    if (opened.readyState !== EventSource.CLOSED) return
    retry = setTimeout(open, STREAM_RETRY_MS)
    if (!isRefused) checkSession()
    isRefused = true
  })
}

// A hidden page must not hold one of the few connections that a browser allows per host.
const onVisibility = () => {
  isRefused = false
  if (document.hidden) close()
  else open()
}

/**
 * Follows the server-sent events about leads: one stream per page, however many subscribers. The changes while there
 * was no stream come with the fetch that every opening has to start. Returns the function that unsubscribes.
 */
export const followLeads = (follower: LeadFollower) => {
  followers.add(follower)
  if (followers.size === 1) {
    document.addEventListener('visibilitychange', onVisibility)
    open()
  } else if (stream?.readyState === EventSource.OPEN) follower.onOpen()
  return () => {
    followers.delete(follower)
    if (followers.size > 0) return
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}
