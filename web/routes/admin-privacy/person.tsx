import { Link } from 'react-router'
import type { HeldPerson, Subject } from '../../../events/privacy/wire.ts'
import { dayInBrief, dayOf } from '../../staff/day.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { NoteRequest } from './cases.tsx'
import { ExportPerson, PersonExports } from './exports.tsx'
import { HeldGroup } from './held.tsx'
import { personAddress, useHeldPerson } from './people.ts'

const factsOf = ({ email, phone, leads, chats }: HeldPerson) =>
  [email, phone, leads > 0 && counted(leads, 'lead'), chats > 0 && counted(chats, 'chat')].filter(Boolean).join(' · ')

/** Leads with the same number, which may be another person's. */
const Others = ({ others }: Pick<HeldPerson, 'others'>) =>
  others.length === 0 ? null : (
    <div css={{ fontSize: type.small }}>
      <p css={{ color: colour.soft }}>The same number, but another email address: perhaps another person.</p>
      <ul css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.base}` }}>
        {others.map(({ id, name, timestamp }) => (
          <li key={id}>
            <Link to={personAddress({ kind: 'lead', id })}>{name}</Link>, {dayInBrief(dayOf(timestamp))}
          </li>
        ))}
      </ul>
    </div>
  )

/** The places where the person is corrected and erased. */
const Ways = ({ subject: { kind, id } }: { subject: Subject }) => {
  if (kind === 'account') return <Link to="/admin-settings/accounts">Change or remove the account</Link>
  const to = kind === 'lead' ? leadAddress(id) : `/admin-chat?session=${encodeURIComponent(id)}`
  return (
    <ButtonLink look="outline" href={to}>
      {kind === 'lead' ? 'Correct or erase on the lead' : 'Erase in the chat'}
    </ButtonLink>
  )
}

/** Everything that is held about a person, in words, and what an owner can do about it. */
export const PersonOfDesk = ({ subject }: { subject: Subject }) => {
  const { data, error, mutate } = useHeldPerson(subject)
  if (error && !data) return <FetchFailure title="Error finding the data" error={error} retry={() => mutate()} />
  if (!data) return <Placeholder title="Finding the data..." />
  if (data.isErased) {
    return (
      <Placeholder title="Nothing is left about this person">
        The personal data was erased. Times and kinds remain, without a word that the person wrote.
      </Placeholder>
    )
  }
  return (
    <section aria-label={data.name} css={{ display: 'grid', gap: space.base, maxWidth: '56rem' }}>
      <div>
        <h2 css={{ fontSize: type.step, overflowWrap: 'anywhere' }}>{data.name}</h2>
        <p css={{ color: colour.soft, overflowWrap: 'anywhere' }}>{factsOf(data)}</p>
      </div>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
        <ExportPerson subject={subject} name={data.name} />
        <NoteRequest subject={subject} name={data.name} />
        <Ways subject={subject} />
      </div>
      <PersonExports id={subject.id} />
      <Others others={data.others} />
      <div css={{ display: 'grid', gap: space.tight }}>
        {data.groups.map((group) => (
          <HeldGroup key={group.group} group={group} />
        ))}
      </div>
    </section>
  )
}
