import type { ReactNode } from 'react'
import { agency } from '../../content/agency.ts'
import { Button } from '../button.tsx'
import { space } from '../theme.ts'
import type { useLeadForm } from './use-lead-form.ts'

/**
 * The frame of a form that makes a lead. Without script it posts itself and the server leads on to `/thanks`: that is why
 * the hidden inputs are there, and why the browser checks the fields unless boot tells it not to.
 */
export const LeadForm = (props: {
  label: string
  action: string
  path: string
  form: ReturnType<typeof useLeadForm>
  children: ReactNode
}) => {
  const { form } = props
  return (
    <form
      method="post"
      action="/api/leads"
      // Boot sets noValidate before this comes alive.
      suppressHydrationWarning
      aria-label={props.label}
      onSubmit={form.onSubmit}
      css={{ display: 'grid', gap: space.base }}
    >
      <input type="hidden" name="leadSource" defaultValue={form.leadSource} />
      <input type="hidden" name="pageUrl" defaultValue={agency().publicUrl + props.path} />
      {props.children}
      <Button type="submit" disabled={form.isSending} css={{ width: '100%' }}>
        {form.isSending ? 'Sending...' : props.action}
      </Button>
    </form>
  )
}
