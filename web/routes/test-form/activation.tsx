import { useEffect, useRef, useState } from 'react'
import { HttpError, send } from '../../client/http.ts'
import { agency } from '../../content/agency.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { mountToaster } from '../../ui/toast/mount.ts'
import { toast } from '../../ui/toast/toasts.ts'

const failureOf = (error: unknown) =>
  error instanceof HttpError && error.status === 429
    ? 'Only a few tests an hour are sent. Please try again later.'
    : `Please try again or contact us directly at ${agency().email}`

/** The only button of the activation page: it sends a test submission to the email service. */
export const Activation = () => {
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const busy = useRef(false)
  useEffect(mountToaster, [])

  const activate = async () => {
    if (busy.current) return
    busy.current = true
    setState('sending')
    try {
      await send('POST', '/api/email-activation')
      setState('sent')
    } catch (error) {
      console.warn('The test was not sent:', error)
      setState('idle')
      toast({ title: 'Submission Failed', description: failureOf(error), variant: 'destructive' })
    } finally {
      busy.current = false
    }
  }

  return (
    <>
      <Button onClick={activate} disabled={state === 'sending'}>
        {state === 'sending' && <Spinner />}
        {state === 'sending' ? 'Sending...' : 'Send test submission'}
      </Button>
      <p role="status" css={{ marginTop: '1rem', minHeight: '1.6em', fontWeight: 600 }}>
        {state === 'sent' && 'The test submission is on its way. Check both inboxes.'}
      </p>
    </>
  )
}
