import { type FormEvent, useState } from 'react'
import type { Lead } from '../../../events/wire/lead.ts'
import type { Erasable } from '../../../events/wire/person.ts'
import { EraseWord, isEraseWord } from '../../staff/erase-word.tsx'
import { dayInShort, dayOf } from '../../staff/leads/day.ts'
import { counted } from '../../staff/leads/labels.ts'
import { erasableOf, erasePerson, useErasable } from '../../staff/leads/lead.ts'
import { useLeaveWarning } from '../../staff/leave-guard.tsx'
import { reasonOf } from '../../staff/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

/** Who goes: nobody is to be erased unseen because a stranger's lead links them with the person. */
const Going = ({ leads, chats }: Erasable) => (
  <div css={{ display: 'grid', gap: space.tight }}>
    <p role="status">
      This will erase {counted(leads.length, 'lead')} and {counted(chats.length, 'chat')}:
    </p>
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by the keyboard
      tabIndex={0}
      aria-label="Leads and chats to erase"
      css={{
        display: 'grid',
        gap: space.tight,
        maxHeight: '12rem',
        padding: space.snug,
        overflowY: 'auto',
        overflowWrap: 'anywhere',
        border: `1px solid ${colour.line}`,
        borderRadius: radius.control,
        fontSize: type.small,
        lineHeight: 1.4,
      }}
    >
      {leads.map(({ id, name, email, phone }) => (
        <li key={id}>
          {[name, email].filter(Boolean).join(', ')}
          {phone && (
            <>
              , <span css={{ whiteSpace: 'nowrap' }}>{phone}</span>
            </>
          )}
        </li>
      ))}
      {chats.map(({ sessionId, visitorName, startTime, messages }) => (
        <li key={sessionId}>
          Chat with {visitorName}, {dayInShort(dayOf(startTime))}, {counted(messages, 'message')}
        </li>
      ))}
    </ul>
  </div>
)

const Question = ({ lead, onClose, onErased }: { lead: Lead; onClose: () => void; onErased: () => void }) => {
  const [typed, setTyped] = useState('')
  const [isErasing, setErasing] = useState(false)
  const [left, setLeft] = useState<number>()
  const { data: going, error: failure, mutate } = useErasable(lead.id)
  // from then on it goes on without this page
  const hasBegun = left !== undefined
  const isHeld = isErasing && !hasBegun
  useLeaveWarning(isHeld)
  const isMeant = isEraseWord(typed) && going !== undefined

  const erase = async (event: FormEvent) => {
    event.preventDefault()
    if (!isMeant || isErasing) return
    setErasing(true)
    let leftNow: number | undefined
    try {
      await erasePerson(lead.id, going, (count) => {
        leftNow = count
        setLeft(count)
      })
      toast({ title: 'Erased', description: 'Their personal data is deleted for good.', variant: 'default' })
      onErased()
    } catch (error) {
      console.warn('The person was not erased, or not all of them yet:', error)
      if (leftNow !== undefined) {
        const description = 'The rest is erased in the background.'
        toast({ title: `Not all erased yet: ${leftNow} left`, description, variant: 'default' })
        onClose()
        return
      }
      const more = erasableOf(error)
      if (more) {
        mutate(more, false)
        setTyped('')
      }
      toast({
        title: 'Not erased',
        description: more ? 'There are new leads or chats of this person. Check the list again.' : reasonOf(error),
        variant: 'destructive',
      })
      setErasing(false)
    }
  }

  return (
    <Dialog title={`Erase ${lead.name}?`} isHeld={isHeld} onClose={onClose}>
      <form onSubmit={erase} css={{ display: 'grid', gap: space.base }}>
        <p>
          Name, email, phone, messages, notes and chats of this person are erased for good, in all of their leads. The
          reports keep anonymous totals. This can’t be undone.
        </p>
        {going && <Going {...going} />}
        {!going && !failure && <p role="status">Checking what will be erased...</p>}
        {!going && failure && (
          <div role="alert" css={{ display: 'grid', justifyItems: 'start', gap: space.tight }}>
            <p>We could not check what will be erased. {reasonOf(failure)}</p>
            <Button look="outline" onClick={() => mutate()}>
              Try again
            </Button>
          </div>
        )}
        <EraseWord typed={typed} onType={setTyped} />
        {hasBegun && <p role="status">This continues in the background: you can close it and leave the page.</p>}
        <DialogActions>
          <Button
            type="submit"
            aria-disabled={!isMeant || isErasing}
            css={{ background: colour.bad, ':hover:not(:disabled)': { background: colour.bad } }}
          >
            {isErasing ? `Erasing...${hasBegun ? ` ${left} left` : ''}` : 'Erase for good'}
          </Button>
          <Button look="outline" aria-disabled={isHeld} onClick={() => isHeld || onClose()}>
            {hasBegun ? 'Close' : 'Cancel'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Lets an owner erase a person for good, once the word is typed. */
export const Erase = ({ lead, onErased }: { lead: Lead; onErased: () => void }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)} css={{ color: colour.bad }}>
        Erase this person
      </Button>
      {isAsking && <Question lead={lead} onClose={() => setAsking(false)} onErased={onErased} />}
    </>
  )
}
