import { Command } from 'cmdk'
import { type ReactElement, type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { nameOf } from '../../../events/base/name-of.ts'
import { STATUS_NAMES } from '../../../events/lead/labels.ts'
import { Dialog, firstFocus } from '../../ui/dialog.tsx'
import { colour, space } from '../../ui/theme.ts'
import { useMe } from '../account/account.ts'
import { useColleagues } from '../account/colleagues.ts'
import { visitorNameOf } from '../chat/visitor-name.ts'
import { dayInShort, dayOf, shortMomentOf } from '../day.ts'
import { leadAddress } from '../leads/address.ts'
import { LeadName } from '../leads/shown/lead-name.tsx'
import type { ListAction } from '../list/list-keys.ts'
import { useSavedViews } from '../list/saved-views.ts'
import { reasonOf } from '../requests/refusal.ts'
import { useCommands } from './commands.ts'
import {
  ACCOUNTS_PATH,
  type Entry,
  fits,
  flaggedEntry,
  hasWordAs,
  OWNER_ENTRIES,
  personEntry,
  SCREEN_ENTRIES,
  SETTINGS_ENTRIES,
  searchEntry,
  viewEntries,
} from './entries.ts'
import { usePaletteSearch } from './palette-search.ts'
import { paletteStyle } from './palette-style.ts'
import { useRecentLeads } from './recent-leads.ts'

const useEntries = (text: string) => {
  const { data: me } = useMe()
  const { data: colleagues = [] } = useColleagues()
  const { views } = useSavedViews()
  const isOwner = me?.role === 'owner'
  const screens = [...SCREEN_ENTRIES, ...(isOwner ? OWNER_ENTRIES : [])]
  const fitting = (entries: readonly Entry[]) => entries.filter((entry) => fits(entry, text))
  return {
    screens: fitting(screens),
    // there are many: only those that are asked for
    settings: text
      ? fitting(isOwner ? SETTINGS_ENTRIES : SETTINGS_ENTRIES.filter(({ to }) => to !== ACCOUNTS_PATH))
      : [],
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

type Group = { title: string; items: ReactElement<{ id: string }>[] }

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

/**
 * Opens any lead, chat, person, view, screen or section of the settings, or runs a command, by a few letters and Enter.
 * `offered` are the actions of the list behind it.
 */
export const Palette = (props: { offered: readonly ListAction[]; onSignOut: () => void; onClose: () => void }) => {
  const { offered, onSignOut, onClose } = props
  const [typed, setTyped] = useState('')
  const [value, setValue] = useState('')
  /** The first entry is selected, also if entries arrive later, until the selection is moved. */
  const [hasMoved, setMoved] = useState(false)
  const navigate = useNavigate()
  const text = typed.trim()
  const { data: found, error } = usePaletteSearch(typed)
  const { screens, settings, views, people } = useEntries(text)
  const { data: me } = useMe()
  const recent = useRecentLeads(me?.id)
  const commands = useCommands(offered, onSignOut).filter(({ name, words }) =>
    fits({ name, to: '', ...(words && { words }) }, text),
  )
  const go = (to: string) => () => {
    onClose()
    navigate(to)
  }
  /** The focus is back on the screen, and on its current item, when the command runs. */
  const command = (run: () => void) => () => {
    flushSync(onClose)
    run()
  }
  const items = (entries: Entry[]) =>
    entries.map(({ name, to }) => (
      <Item key={to} id={to} onSelect={go(to)}>
        {name}
      </Item>
    ))
  const { leads = [], chats = [] } = (text && found) || {}
  const flagged = text && found?.q === text ? found.flagged : 0
  const records: Group[] = [
    { title: 'Recent', items: text ? [] : recent.map(leadItem(go)) },
    { title: 'Leads', items: leads.map(leadItem(go)) },
    { title: 'Chats', items: chats.map(chatItem(go)) },
    { title: 'People', items: items(people) },
  ]
  const actions: Group[] = [
    { title: 'Screens', items: items(screens) },
    { title: 'Settings', items: items(settings) },
    {
      title: 'Commands',
      items: commands.map(({ name, run }) => (
        <Item key={name} id={name} onSelect={command(run)}>
          {name}
        </Item>
      )),
    },
  ]
  // the beginning of an action's name is more likely the action than a lead with the same letters
  const isAction = text !== '' && [...screens, ...settings, ...commands].some(({ name }) => hasWordAs(name, text))
  const groups: Group[] = [
    ...(isAction ? [...actions, ...records] : [...records, ...actions]),
    { title: 'Views', items: items(views) },
    {
      title: 'Search',
      items: text ? items([searchEntry(text), ...(flagged > 0 ? [flaggedEntry(flagged, text)] : [])]) : [],
    },
  ]
  const filled = groups.filter((group) => group.items.length > 0)
  const isNothing = text !== '' && found?.q === text && filled.length === 1 && flagged === 0
  const first = filled[0]?.items[0]?.props.id
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
        value={hasMoved ? value : (first ?? '')}
        onValueChange={setValue}
        onKeyDown={({ key }) => setMoved(hasMoved || key === 'ArrowDown' || key === 'ArrowUp')}
        onPointerMove={() => setMoved(true)}
        css={paletteStyle}
      >
        <Command.Input
          ref={firstFocus}
          value={typed}
          onValueChange={type}
          placeholder="A lead, a chat, a person, a screen or a command..."
          maxLength={100}
        />
        <Command.List>
          <p role="status" css={{ padding: space.snug, color: colour.soft, ':empty': { display: 'none' } }}>
            {isNothing && `Nothing found for "${text}".`}
          </p>
          {error && <p role="alert">{reasonOf(error)}</p>}
          {filled.map(({ title, items }) => (
            <Command.Group key={title} heading={title}>
              {items}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}
