import { isErased, type Lead } from '../../../events/lead/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { LeadContent } from '../../staff/leads/conversation/lead-content.tsx'
import { Received } from '../../staff/leads/conversation/received.tsx'
import { useLead } from '../../staff/leads/lead.ts'
import { leadTitle } from '../../staff/leads/list/groups.ts'
import { LeadName } from '../../staff/leads/shown/lead-name.tsx'
import { LeadLink } from '../../staff/leads/shown/link.tsx'
import { SidePanel } from '../../staff/shell/side-panel.tsx'

type Props = { lead: Lead; position: string; onChanged: () => void; onClose: () => void }

/** A lead as on its page, next to the list; on a small screen over its lower half. `lead` is as the list shows it. */
export const Peek = ({ lead: listed, position, onChanged, onClose }: Props) => {
  const known = useLead(listed.id)
  const { data: me } = useMe()
  const fetched = known.lead.data
  const lead = fetched && fetched.version >= listed.version ? fetched : listed
  const refresh = () => {
    known.refresh()
    onChanged()
  }
  const onSaved = (saved?: Lead) => {
    known.onSaved(saved)
    onChanged()
  }
  return (
    <SidePanel
      name={`Preview: ${leadTitle(lead)}`}
      title={<LeadName lead={lead} />}
      note={position}
      action={<LeadLink id={lead.id} title={leadTitle(lead)} />}
      onClose={onClose}
    >
      {isErased(lead) && <Received lead={lead} />}
      {me && !isErased(lead) && <LeadContent lead={lead} accountId={me.id} known={{ ...known, refresh, onSaved }} />}
    </SidePanel>
  )
}
