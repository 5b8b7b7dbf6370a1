import { type FormEvent, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { FoundPerson } from '../../../events/privacy/wire.ts'
import { dayInBrief, dayOf } from '../../staff/day.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { PrivacyCases } from './cases.tsx'
import { personAddress, subjectIn, useFoundPeople } from './people.ts'
import { PersonOfDesk } from './person.tsx'
import { NextErasures } from './retention.tsx'

const kindInWords = ({ kind, count }: FoundPerson) =>
  kind === 'lead' ? counted(count, 'lead') : kind === 'chat' ? 'Chat only' : 'Staff account'

const Found = ({ person }: { person: FoundPerson }) => (
  <li
    css={{
      display: 'grid',
      gap: `${space.hair} ${space.base}`,
      padding: `${space.snug} ${space.base}`,
      borderTop: `1px solid ${colour.line}`,
      ':first-of-type': { borderTop: 0 },
      overflowWrap: 'anywhere',
      [from.medium]: { gridTemplateColumns: '14rem minmax(0, 1fr) 9rem 7rem', alignItems: 'baseline' },
    }}
  >
    <Link to={personAddress(person)} css={{ fontWeight: 600 }}>
      {person.name}
    </Link>
    <span>{[person.email, person.phone].filter(Boolean).join(' · ')}</span>
    <span css={{ color: colour.soft, fontSize: type.small }}>{kindInWords(person)}</span>
    <span css={{ color: colour.soft, fontSize: type.small }}>{dayInBrief(dayOf(person.timestamp))}</span>
  </li>
)

const FoundPeople = ({ q }: { q: string }) => {
  const { data, error, mutate } = useFoundPeople(q)
  if (error) return <FetchFailure title="Error finding people" error={error} retry={() => mutate()} />
  if (!data) return <Placeholder title="Finding people..." />
  if (data.length === 0) {
    return <Placeholder title="Nothing is held under these words">Try a part of the name, or the address.</Placeholder>
  }
  return (
    <ul aria-label="People" css={{ maxWidth: '56rem', ...panel }}>
      {data.map((person) => (
        <Found key={`${person.kind} ${person.id}`} person={person} />
      ))}
    </ul>
  )
}

/** Finds a person. Only a press of Enter, or of the button, searches: an owner looks up one person. */
const FindForm = ({ q, onFind }: { q: string; onFind: (q: string) => void }) => {
  const [typed, setTyped] = useState(q)
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind(typed.trim())
  }
  return (
    <form
      aria-label="Find a person"
      onSubmit={find}
      css={{ display: 'flex', alignItems: 'end', gap: space.tight, maxWidth: '36rem', '& > div': { flexGrow: 1 } }}
    >
      <TextField
        id="find-person"
        type="search"
        label="Find a person by email, phone, name or reference"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" look="outline">
        Find
      </Button>
    </form>
  )
}

export const PrivacyScreen = () => {
  useTitle('Privacy')
  const [query, setQuery] = useSearchParams()
  const q = query.get('q') ?? ''
  const subject = subjectIn(query)
  return (
    <>
      <TopBar title="Privacy" />
      <div css={{ display: 'grid', gap: space.roomy }}>
        <FindForm key={q} q={q} onFind={(next) => setQuery(next ? { q: next } : {})} />
        {subject && <PersonOfDesk key={subject.id} subject={subject} />}
        {!subject && q !== '' && <FoundPeople q={q} />}
        {!subject && q === '' && (
          <>
            <PrivacyCases />
            <NextErasures />
          </>
        )}
      </div>
    </>
  )
}
