import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import * as v from 'valibot'

/** The build's path of the worker: it controls the staff screens, which are below it, and nothing else. */
const WORKER = '/admin-worker.js'
const SCOPE = '/admin-'

const showsMessage = v.object({ type: v.literal('shows'), sessionId: v.string() })
const openMessage = v.object({ type: v.literal('open'), address: v.pipe(v.string(), v.startsWith(SCOPE)) })

/** Registers the service worker for this browser's staff screens; undefined if the browser supports none. */
export const registerWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator
    ? await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: 'none' })
    : undefined

/** Whether this page shows a chat; without an id, whether it shows the list of all. */
const isShown = (sessionId: string) =>
  sessionId
    ? new URLSearchParams(location.search).get('session') === sessionId
    : location.pathname.toLowerCase() === '/admin-chat'

/** Opens the screen of a clicked notification, and reports to the worker which chat is in sight. */
export const useNotifications = () => {
  const navigate = useNavigate()
  const receive = useEffectEvent(({ data, ports }: MessageEvent<unknown>) => {
    const [opened, question] = [v.safeParse(openMessage, data), v.safeParse(showsMessage, data)]
    if (opened.success) navigate(opened.output.address)
    if (question.success) ports[0]?.postMessage(isShown(question.output.sessionId))
  })
  useEffect(() => {
    const { serviceWorker } = navigator
    const listen = (event: MessageEvent<unknown>) => receive(event)
    serviceWorker?.addEventListener('message', listen)
    return () => serviceWorker?.removeEventListener('message', listen)
  }, [])
}
