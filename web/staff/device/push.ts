import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { pushKey } from '../../../events/wire/staff.ts'
import { request, sendJson } from '../../http.ts'
import { reasonOf } from '../refusal.ts'
import { registerWorker } from './worker.ts'

const ADDRESS = '/api/me/push'

/** Whether this device is told of leads. `impossible`: this browser cannot be; `blocked`: its user has said no. */
type PushState = 'unknown' | 'impossible' | 'blocked' | 'off' | 'on'

const isPossible = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** The worker of this browser, once it works. */
const readyWorker = async () => {
  await registerWorker()
  return await navigator.serviceWorker.ready
}

const send = (subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON()
  return sendJson('POST', ADDRESS, { endpoint, keys })
}

const readState = async (): Promise<PushState> => {
  if (!isPossible()) return 'impossible'
  const { pushManager } = await readyWorker()
  const subscription = await pushManager.getSubscription()
  if (!subscription)
    return (await pushManager.permissionState({ userVisibleOnly: true })) === 'denied' ? 'blocked' : 'off'
  // the site may have forgotten the device meanwhile
  await send(subscription)
  return 'on'
}

const subscribe = async (): Promise<PushState> => {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  const { publicKey } = v.parse(pushKey, await (await request(ADDRESS)).json())
  const { pushManager } = await readyWorker()
  // one that was made with another site's key would refuse this one
  await (await pushManager.getSubscription())?.unsubscribe()
  await send(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  return 'on'
}

const unsubscribe = async (): Promise<PushState> => {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return 'off'
  // without the site's knowledge its next notification finds nobody, and it forgets the device then
  await subscription.unsubscribe()
  await sendJson('DELETE', ADDRESS, { endpoint: subscription.endpoint })
  return 'off'
}

/** Ends the notifications of this device, where it has any: who has signed out is told nothing here. */
export const endPush = async () => {
  if (isPossible()) await unsubscribe()
}

/** Whether this device is told of leads, also while no page is open, and how to change that. */
export const usePush = () => {
  const [state, setState] = useState<PushState>('unknown')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    let isOver = false
    readState().then(
      (read) => !isOver && setState(read),
      (error) => !isOver && setProblem(reasonOf(error)),
    )
    return () => {
      isOver = true
    }
  }, [])
  const turn = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem('')
    try {
      setState(await (state === 'on' ? unsubscribe() : subscribe()))
    } catch (error) {
      console.warn('The notifications of this device could not be changed:', error)
      setProblem(
        error instanceof DOMException ? 'The browser could not turn notifications on. Try again.' : reasonOf(error),
      )
    }
    setBusy(false)
  }
  return { state, problem, isBusy, turn }
}
