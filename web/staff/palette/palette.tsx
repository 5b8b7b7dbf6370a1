import { Command } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { nameOf } from '../../../events/base/name-of.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import { Dialog, firstFocus } from '../../ui/dialog.tsx'
import { colour, space } from '../../ui/theme.ts'
import { useMe } from '../account.ts'
import { useColleagues } from '../colleagues.ts'
import { dayInShort, dayOf, shortMomentOf } from '../day.ts'
import { leadAddress } from '../leads/address.ts'
import { LeadName } from '../leads/shown/lead-name.tsx'
import { reasonOf } from '../refusal.ts'
import { useSavedViews } from '../saved-views.ts'
import { visitorNameOf } from '../visitor-name.ts'
import {
  type Entry,
  fits,
  flaggedEntry,
  OWNER_ENTRIES,
  personEntry,
  SCREEN_ENTRIES,
  searchEntry,
  viewEntries,
} from './entries.ts'
import { usePaletteSearch } from './palette-search.ts'
import { paletteStyle } from './palette-style.ts'

/** The destinations and actions that fit a text. */
const useEntries = (text: string) => {
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  const { views } = useSavedViews()
  const screens = [...SCREEN_ENTRIES, ...(me?.role === 'owner' ? OWNER_ENTRIES : [])]
  const fitting = (entries: readonly Entry[]) => entries.filter((entry) => fits(entry, text))
  return {
    screens: fitting(screens),
    views: fitting(viewEntries(views)),
    people: text ? fitting(colleagues.map(personEntry)) : [],
  }
}

const Item = ({
  id,
  note,
  onSelect,
  children,
}: {
  id: string
  note?: string
  onSelect: () => void
  children: ReactNode
}) => (
  <Command.Item value={id} onSelect={onSelect}>
    <span>{children}</span>
    {note && <small>{note}</small>}
  </Command.Item>
)

const Group = ({ title, children }: { title: string; children: ReactNode[] }) =>
  children.length > 0 ? <Command.Group heading={title}>{children}</Command.Group> : null

type Found = NonNullable<ReturnType<typeof usePaletteSearch>['data']>

type Go = (to: string) => () => void

const leadItem =
  (go: Go) =>
  ({ id, followUpStatus, timestamp, ...named }: Found['leads'][number]) => (
    <Item
      key={id}
      id={id}
      onSelect={go(leadAddress(id))}
      note={`${nameOf(STATUS_NAMES, followUpStatus)}, ${shortMomentOf(timestamp)}`}
    >
      <LeadName lead={named} />
    </Item>
  )

const chatItem =
  (go: Go) =>
  ({ sessionId, visitorName, isActive, startTime }: Found['chats'][number]) => (
    <Item
      key={sessionId}
      id={sessionId}
      onSelect={go(`/admin-chat?session=${sessionId}`)}
      note={isActive ? 'Active' : `Ended, ${dayInShort(dayOf(startTime))}`}
    >
      {visitorNameOf(visitorName)}
    </Item>
  )

/** Opens any lead, chat, person, view or screen, or runs an action, by a few letters and Enter. */
export const Palette = ({ onSignOut, onClose }: { onSignOut: () => void; onClose: () => void }) => {
  const [typed, setTyped] = useState('')
  const [value, setValue] = useState('')
  /** The first entry is selected, also if entries arrive later, until the selection is moved. */
  const [hasMoved, setMoved] = useState(false)
  const navigate = useNavigate()
  const text = typed.trim()
  const { data: found, error } = usePaletteSearch(typed)
  const { screens, views, people } = useEntries(text)
  const go = (to: string) => () => {
    onClose()
    navigate(to)
  }
  const items = (entries: Entry[]) =>
    entries.map(({ name, to }) => (
      <Item key={to} id={to} onSelect={go(to)}>
        {name}
      </Item>
    ))
  const { leads = [], chats = [] } = (text && found) || {}
  const flagged = text && found?.q === text ? found.flagged : 0
  const isNothing =
    text !== '' &&
    found?.q === text &&
    flagged + [leads, chats, people, screens, views].reduce((sum, { length }) => sum + length, 0) === 0
  const first = leads[0]?.id ?? chats[0]?.sessionId ?? [...people, ...screens, ...views][0]?.to ?? searchEntry(text).to
  const type = (next: string) => {
    setTyped(next)
    setMoved(false)
  }
  return (
    <Dialog title="Go to" width="38rem" onClose={onClose}>
      <Command
        label="Go to"
        shouldFilter={false}
        loop
        value={hasMoved ? value : first}
        onValueChange={setValue}
        onKeyDown={({ key }) => setMoved(hasMoved || key === 'ArrowDown' || key === 'ArrowUp')}
        onPointerMove={() => setMoved(true)}
        css={paletteStyle}
      >
        <Command.Input
          ref={firstFocus}
          value={typed}
          onValueChange={type}
          placeholder="A lead, a chat, a person or a screen..."
          maxLength={100}
        />
        <p role="status" css={{ marginTop: space.snug, color: colour.soft, ':empty': { display: 'none' } }}>
          {isNothing && `Nothing found for "${text}".`}
        </p>
        <Command.List>
          {error && <p role="alert">{reasonOf(error)}</p>}
          <Group title="Leads">{leads.map(leadItem(go))}</Group>
          <Group title="Chats">{chats.map(chatItem(go))}</Group>
          <Group title="People">{items(people)}</Group>
          <Group title="Screens">{items(screens)}</Group>
          <Group title="Views">{items(views)}</Group>
          <Group title="Actions">
            {[
              ...(text ? items([searchEntry(text), ...(flagged > 0 ? [flaggedEntry(flagged, text)] : [])]) : []),
              ...(fits({ name: 'Sign out', to: '' }, text)
                ? [
                    <Item key="sign-out" id="sign-out" onSelect={onSignOut}>
                      Sign out
                    </Item>,
                  ]
                : []),
            ]}
          </Group>
        </Command.List>
      </Command>
    </Dialog>
  )
}
