import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ChatMessage, ChatRecord, ChatSession } from '../../../events/chat/wire.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { useWayBack } from '../../staff/leads/list/place.ts'
import { PlainLink } from '../../staff/leads/shown/plain-link.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { LeadDialog } from './lead-dialog.tsx'

/** A link to the lead of a chat, or the button that creates one; and the visitor's earlier leads. */
export const ChatLead = ({
  session,
  messages,
  record,
  onMade,
}: {
  session: ChatSession
  messages: readonly ChatMessage[]
  record: ChatRecord | undefined
  onMade: () => void
}) => {
  const navigate = useNavigate()
  const { state } = useWayBack('')
  const [isMakingLead, setIsMakingLead] = useState(false)
  const [madeLeadId, setMadeLeadId] = useState<string>()
  const leadId = record?.leadId ?? madeLeadId
  const knownLeadId = record?.knownLeadId !== leadId ? record?.knownLeadId : undefined
  return (
    <>
      {knownLeadId && (
        <p css={{ color: colour.soft, fontSize: type.small, lineHeight: 1.45 }}>
          Wrote to us before under this {session.visitorEmail ? 'address' : 'number'}:{' '}
          <PlainLink leadId={knownLeadId}>open the lead</PlainLink>
        </p>
      )}
      {leadId ? (
        <PlainLink
          leadId={leadId}
          ref={(link) => {
            if (madeLeadId && document.activeElement === document.body) link?.focus()
          }}
          css={{ fontSize: type.small, fontWeight: 600 }}
        >
          Open the lead of this chat
        </PlainLink>
      ) : (
        <Button look="quiet" disabled={!record} onClick={() => setIsMakingLead(true)} css={{ width: '100%' }}>
          Create lead
        </Button>
      )}
      {isMakingLead && (
        <LeadDialog
          session={session}
          messages={messages}
          onClose={() => setIsMakingLead(false)}
          onMade={(made) => {
            setIsMakingLead(false)
            setMadeLeadId(made)
            toast({
              title: 'Lead made of this chat',
              action: { label: 'Open lead', run: () => navigate(leadAddress(made), { state }) },
            })
            onMade()
          }}
        />
      )}
    </>
  )
}
