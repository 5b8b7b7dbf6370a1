import { useState } from 'react'
import useSWR from 'swr'
import { pushKey } from '../../../events/staff/wire.ts'
import { get } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { stored } from '../../client/stored.ts'
import { reasonOf } from '../requests/refusal.ts'
import { registerWorker } from './worker.ts'

const ADDRESS = '/api/me/push'

/**
 * Whether this device gets notifications of leads and chats. `impossible`: this browser cannot; `blocked`: its user has
 * refused; `stopped`: it did, until the browser or the system ended that.
 */
type PushState = 'unknown' | 'impossible' | 'blocked' | 'off' | 'stopped' | 'on'

const isPossible = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** This browser's worker, once it is active. */
const readyWorker = async () => {
  await registerWorker()
  return await navigator.serviceWorker.ready
}

/** The account that has turned on the notifications of this browser: no other account that signs in here gets them. */
const storedAccount = stored('push-account', 'device', (id) => (typeof id === 'string' ? id : undefined))

const readPublicKey = async () => (await get(ADDRESS, pushKey)).publicKey

const bytesOf = (base64url: string) => atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))

const isFor = ({ options: { applicationServerKey: key } }: PushSubscription, publicKey: string) =>
  key !== null && String.fromCharCode(...new Uint8Array(key)) === bytesOf(publicKey)

const register = (subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON()
  return send('POST', ADDRESS, { endpoint, keys })
}

const subscribe = async ({ pushManager }: ServiceWorkerRegistration, accountId: string): Promise<PushState> => {
  const applicationServerKey = await readPublicKey()
  // a subscription made with another key would refuse this one
  await (await pushManager.getSubscription())?.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  storedAccount.keep(accountId)
  await register(subscription)
  return 'on'
}

const askAndSubscribe = async (accountId: string): Promise<PushState> => {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  return await subscribe(await readyWorker(), accountId)
}

const unsubscribe = async (): Promise<PushState> => {
  storedAccount.discard()
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return 'off'
  // the site is not informed: its next notification fails, and it then removes the device
  await subscription.unsubscribe()
  await send('DELETE', ADDRESS, { endpoint: subscription.endpoint })
  return 'off'
}

/**
 * Reads whether this device gets notifications of leads and chats, and subscribes again if it did: the site has removed
 * the device along with the session that subscribed it. A subscription of another account ends here.
 */
const readState = async (accountId: string): Promise<PushState> => {
  if (!isPossible()) return 'impossible'
  const worker = await readyWorker()
  const subscription = await worker.pushManager.getSubscription()
  if (!subscription) {
    if ((await worker.pushManager.permissionState({ userVisibleOnly: true })) === 'denied') return 'blocked'
    return storedAccount.read() === accountId ? 'stopped' : 'off'
  }
  if ((storedAccount.read() ?? accountId) !== accountId) return await unsubscribe()
  if (!isFor(subscription, await readPublicKey())) return await subscribe(worker, accountId)
  await register(subscription)
  return 'on'
}

/** Ends the notifications of this device, if it has any: a signed-out staff member gets none here. */
export const endPush = async () => {
  if (isPossible()) await unsubscribe()
}

/**
 * Whether this device gets notifications of leads and chats. A staff page checks once as it opens; undefined until an
 * account is known to be signed in.
 */
export const usePushState = (accountId: string | undefined) =>
  useSWR<PushState>(accountId && ['push', accountId], () => readState(accountId ?? ''))

/** Whether this device gets notifications of leads and chats, also while no page is open, and how to change that. */
export const usePush = (accountId: string) => {
  const { data: state = 'unknown', error, mutate } = usePushState(accountId)
  const [refusal, setRefusal] = useState('')
  const [isBusy, setBusy] = useState(false)
  const turn = async () => {
    if (isBusy) return
    setBusy(true)
    setRefusal('')
    try {
      await mutate(await (state === 'on' ? unsubscribe() : askAndSubscribe(accountId)), { revalidate: false })
    } catch (error) {
      console.warn('The notifications of this device could not be changed:', error)
      setRefusal(
        error instanceof DOMException ? 'The browser could not turn notifications on. Try again.' : reasonOf(error),
      )
    }
    setBusy(false)
  }
  return { state, problem: refusal || (error ? reasonOf(error) : ''), isBusy, turn }
}
