import type { ReactNode } from 'react'
import { agency } from '../../content/agency.ts'
import { Button } from '../button.tsx'
import { Spinner } from '../spinner.tsx'
import { colour, space } from '../theme.ts'
import { DataNote } from './form-notice.tsx'
import { Honeypot } from './honeypot.tsx'
import type { useLeadForm } from './use-lead-form.ts'

/**
 * The frame of a lead form, and the panel that replaces it after sending. Without script the form posts itself and the
 * server redirects to `/thanks`: hence the hidden inputs, and the browser's own checks unless boot turns them off.
 */
export const LeadForm = (props: {
  label: string
  action: string
  sending?: string
  path: string
  /** The data collected here, and the purpose. */
  dataNote: string
  delivery?: string
  form: ReturnType<typeof useLeadForm>
  children: ReactNode
}) => {
  const { form } = props
  const { attempt, lazyParts } = form
  const sent = attempt && 'leadId' in attempt ? attempt : undefined
  const failed = attempt && 'error' in attempt ? attempt : undefined
  return (
    <>
      {sent && lazyParts && (
        <lazyParts.SentPanel leadSource={form.name} delivery={props.delivery} sent={sent} onAnother={form.again} />
      )}
      <form
        method="post"
        action="/api/leads"
        // Boot sets noValidate before this comes alive.
        suppressHydrationWarning
        aria-label={props.label}
        data-draft={form.name}
        onChange={form.storeTyped}
        onBlur={form.leave}
        onSubmit={form.onSubmit}
        css={{ display: 'grid', gap: space.base }}
        style={sent && lazyParts && { display: 'none' }}
      >
        {Object.entries(form.fixed).map(([name, value]) => (
          <input key={name} type="hidden" name={name} defaultValue={String(value)} />
        ))}
        <input type="hidden" name="pageUrl" defaultValue={agency().publicUrl + props.path} />
        <Honeypot />
        {props.children}
        {failed &&
          (lazyParts ? (
            <lazyParts.FailureNote error={failed.error} typed={form.typed()} isSending={form.isSending} />
          ) : (
            <p role="alert" css={{ color: colour.bad, fontWeight: 600 }}>
              We couldn't send this yet. Please try again.
            </p>
          ))}
        {sent && <p>Thanks, we've received it.</p>}
        <Button type="submit" disabled={form.isSending} css={{ width: '100%' }}>
          {form.isSending && <Spinner />}
          {form.isSending ? (props.sending ?? 'Sending...') : props.action}
        </Button>
        <DataNote>{props.dataNote}</DataNote>
      </form>
    </>
  )
}
