import { useId, useState } from 'react'
import * as v from 'valibot'
import { phoneKey } from '../../../../events/base/phone.ts'
import { isContract } from '../../../../events/lead/form/kind.ts'
import { sourceInWords } from '../../../../events/lead/labels.ts'
import { MERGE_FIELDS, type MergeField, REQUEST_FIELDS, SHOWN_FIELDS } from '../../../../events/lead/person/merge.ts'
import { personKeys } from '../../../../events/lead/person/person.ts'
import { isErased, type Lead } from '../../../../events/lead/wire.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { colour, radius, space, type } from '../../../ui/theme.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { useColleagues } from '../../account/colleagues.ts'
import { DialogForm } from '../../forms/form-dialog.tsx'
import { FormProblem } from '../../forms/form-problem.tsx'
import { useStaffForm } from '../../forms/use-staff-form.ts'
import { Pending } from '../../placeholder.tsx'
import { reasonOf } from '../../requests/refusal.ts'
import { undoAction } from '../change/undo-with-toast.ts'
import { receivedMoment } from '../clock/received-in-words.ts'
import { aboutLead, leadTitle } from '../list/groups.ts'
import { ContractChips } from '../shown/contract-chips.tsx'
import { FIELD_NAMES, fieldInWords, SHOWN_NAMES, shownInWords } from '../shown/labels.ts'
import { LeadName } from '../shown/lead-name.tsx'
import { MessageLine } from '../shown/message-line.tsx'
import { isStale, type Merged, mergeLeads, useBoth } from './merge.ts'

const isShown = (field: MergeField): field is (typeof SHOWN_FIELDS)[number] =>
  (SHOWN_FIELDS as readonly string[]).includes(field)

const isRequest = (field: MergeField) => (REQUEST_FIELDS as readonly string[]).includes(field)

const nameOfField = (field: MergeField) => (isShown(field) ? SHOWN_NAMES[field] : FIELD_NAMES[field])

const isSigned = (lead: Lead) => isContract(lead.leadSource)

const isEmpty = (value: unknown) => value === null || value === ''

const isSame = (field: MergeField, one: Lead, other: Lead) =>
  one[field] === other[field] ||
  (isEmpty(one[field]) && isEmpty(other[field])) ||
  // numbers are equal however they are written
  (field === 'phone' && phoneKey(one.phone) !== null && phoneKey(one.phone) === phoneKey(other.phone))

/** The fields of two leads that require a choice: not the signed ones. */
const differing = (both: readonly [Lead, Lead]) =>
  MERGE_FIELDS.filter((field) => !isSame(field, ...both) && !(isRequest(field) && both.some(isSigned)))

/** Whether two leads share an email address or a telephone number. */
const shareKeys = ([one, other]: readonly [Lead, Lead]) => {
  const keys = personKeys(one)
  return personKeys(other).some((key) => keys.includes(key))
}

/** The order in which leads would stay: a signed contract first, the newest of them, then the oldest lead. */
const byStaying = (a: Lead, b: Lead) => {
  const isLater = a.timestamp.localeCompare(b.timestamp)
  if (isSigned(a) !== isSigned(b)) return isSigned(a) ? -1 : 1
  return isSigned(a) ? -isLater : isLater
}

/**
 * The initial choice: the lead that stays shows its own values; a missing one comes from the other, if that is the same
 * person's. The request is the latest one, unless they have signed a contract.
 */
const startOf = (both: readonly [Lead, Lead], isOnePerson: boolean) => {
  const [first, second] = both.toSorted(byStaying) as [Lead, Lead]
  const isOtherBetter = (field: MergeField) => {
    if (field === 'followUpStatus') return first.followUpStatus === 'new'
    // requests are a choice only if neither has signed: then the first lead is the older one
    return isRequest(field) ? !isEmpty(second[field]) : isEmpty(first[field])
  }
  const isBetter = (field: MergeField) => isOnePerson && isOtherBetter(field)
  const from = Object.fromEntries(differing(both).map((field) => [field, isBetter(field) ? second.id : first.id]))
  return { staying: first.id, from }
}

const choice = v.object({ staying: v.string(), from: v.record(v.string(), v.string()) })

const pair = { display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: space.tight } as const

const option = {
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  alignItems: 'start',
  gap: space.tight,
  minHeight: '2.75rem',
  padding: space.tight,
  border: `1px solid ${colour.line}`,
  borderRadius: radius.card,
  overflowWrap: 'anywhere',
  cursor: 'pointer',
  '> span': { minWidth: 0 },
  // a chip must not reach into the other lead's column
  '[data-chips] > *': { whiteSpace: 'normal' },
  ':has(input:checked)': { borderColor: colour.accent, background: colour.accentWash },
} as const

const radio = { width: '1.25rem', height: '1.25rem', margin: '0.125rem 0 0', accentColor: colour.accent } as const

const wordsId = ({ id }: Lead) => `${id}-words`

/** The lead's person, its source and time, and its content, which distinguishes two leads of one person. */
const LeadSummary = ({ lead }: { lead: Lead }) => (
  <span>
    <strong>
      <LeadName lead={lead} />
    </strong>
    <span css={{ display: 'block', color: colour.soft, fontSize: type.small }}>
      {sourceInWords(lead.leadSource)}, {receivedMoment(lead)}
    </span>
    {/* it describes the choice, and is not a part of its name */}
    <span id={wordsId(lead)} aria-hidden="true">
      <MessageLine lead={lead} as="span" />
    </span>
    {isSigned(lead) && (
      <span data-chips="" css={{ display: 'flex', flexWrap: 'wrap', gap: space.hair, marginTop: space.hair }}>
        <ContractChips lead={lead} />
      </span>
    )}
  </span>
)

type Compared = {
  both: readonly [Lead, Lead]
  isOnePerson: boolean
  onStale: () => void
  onMerged: (merged: Merged) => void
  onClose: () => void
}

/** Two leads next to each other: which stays, and which values it shows. */
const Compare = ({ both, isOnePerson, onStale, onMerged, onClose }: Compared) => {
  const questionId = useId()
  const { data: colleagues } = useColleagues()
  const form = useStaffForm(choice, {
    defaultValues: startOf(both, isOnePerson),
    send: async ({ staying: stayingId, from }) => {
      const [staying, merged] = stayingId === both[0].id ? both : ([both[1], both[0]] as const)
      const takes = differing(both).filter((field) => from[field] === merged.id)
      onMerged(await mergeLeads(staying, merged, takes))
    },
    explain: (error) => {
      if (!isStale(error)) return reasonOf(error)
      onStale()
      return undefined
    },
  })
  const inWords = (lead: Lead, field: MergeField) =>
    isShown(field) ? shownInWords(field, lead[field]) || 'None' : fieldInWords(field, lead[field], colleagues)
  const staying = form.watch('staying')
  return (
    <DialogForm form={form} action="Merge" busyAction="Merging..." onClose={onClose}>
      {!isOnePerson && (
        <p id={questionId} css={{ fontWeight: 600 }}>
          These two show no email address or phone number in common. Are they one person?
        </p>
      )}
      <fieldset {...(!isOnePerson && { 'aria-describedby': questionId })}>
        <legend css={{ padding: 0, marginBottom: space.hair, fontWeight: 600 }}>Which one stays?</legend>
        <div css={pair}>
          {both.map((lead) => (
            <label key={lead.id} css={option}>
              <input
                type="radio"
                value={lead.id}
                aria-describedby={wordsId(lead)}
                css={radio}
                {...form.register('staying')}
              />
              <LeadSummary lead={lead} />
            </label>
          ))}
        </div>
        {both.some((lead) => lead.id !== staying && isSigned(lead)) && (
          <p role="status" css={{ marginTop: space.tight }}>
            The contract will be found under "Merged into this lead".
          </p>
        )}
      </fieldset>
      {differing(both).map((field) => (
        <fieldset key={field}>
          <legend css={{ padding: 0, marginBottom: space.hair, fontWeight: 600 }}>{nameOfField(field)}</legend>
          <div css={pair}>
            {both.map((lead) => (
              <label key={lead.id} css={option}>
                <input type="radio" value={lead.id} css={radio} {...form.register(`from.${field}`)} />
                <span css={isEmpty(lead[field]) ? { color: colour.soft } : undefined}>{inWords(lead, field)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <p css={{ color: colour.soft, fontSize: type.small }}>
        The other lead is hidden. You see both histories here and can undo it.
      </p>
    </DialogForm>
  )
}

const showMerged = ({ lead, mergedId, eventId }: Merged, onUndone: () => void) =>
  toast({
    title: 'Merged',
    about: aboutLead(lead),
    ...(eventId === null && { description: 'You can unmerge them in the timeline.' }),
    ...undoAction({ leadId: mergedId, eventId, onUndone }),
  })

/** Asks how to merge two leads, and merges them; `onUnmerged` is called if that was undone from its toast. */
export const MergeDialog = (props: {
  ids: readonly [string, string]
  /** Whether the two are known to be one person by more than the fields shown. */
  areLinked?: boolean
  onMerged: (lead: Lead) => void
  onUnmerged: () => void
  onClose: () => void
}) => {
  const { ids, onMerged, onUnmerged, onClose } = props
  const { both, error, look } = useBoth(ids)
  const [isSlow, setSlow] = useState(false)
  const alreadyMerged = both?.find(({ mergedInto }) => mergedInto)
  const isOver = both?.some(isErased)
  return (
    <Dialog title="Merge two leads" width="44rem" onClose={onClose}>
      <Pending what="the leads" isLoading={!both} error={error} retry={look} />
      <FormProblem
        problem={
          alreadyMerged
            ? `${leadTitle(alreadyMerged)} has been merged by another person. Close this and look at the list again.`
            : isOver
              ? 'One of these people has been erased: there is nothing to merge.'
              : isSlow
                ? 'One of these leads has changed. Check the current values, then merge.'
                : undefined
        }
      />
      {both && !isOver && (
        <Compare
          key={both.map(({ id, version }) => `${id} ${version}`).join()}
          both={both}
          isOnePerson={props.areLinked || shareKeys(both)}
          onStale={async () => {
            await look()
            setSlow(true)
          }}
          onMerged={(merged) => {
            showMerged(merged, onUnmerged)
            onMerged(merged.lead)
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
