import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import * as v from 'valibot'

/** Where the build puts it: what is above all staff screens, and above nothing else, is in its care. */
const WORKER = '/admin-worker.js'
const SCOPE = '/admin-'

const openMessage = v.object({ type: v.literal('open'), address: v.pipe(v.string(), v.startsWith(SCOPE)) })

/** Has the service worker look after this browser's staff screens; undefined where a browser knows none. */
export const registerWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator
    ? await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' })
    : undefined

/** Goes to the screen of a notification that somebody has pressed. */
export const useOpenedNotifications = () => {
  const navigate = useNavigate()
  const take = useEffectEvent(({ data }: MessageEvent<unknown>) => {
    const { success, output } = v.safeParse(openMessage, data)
    if (success) navigate(output.address)
  })
  useEffect(() => {
    const { serviceWorker } = navigator
    const listen = (event: MessageEvent<unknown>) => take(event)
    serviceWorker?.addEventListener('message', listen)
    return () => serviceWorker?.removeEventListener('message', listen)
  }, [])
}
