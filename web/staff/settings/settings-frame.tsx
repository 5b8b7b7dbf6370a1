import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { colour, from, radius, space, type } from '../../ui/theme.ts'
import { useMe } from '../account/account.ts'
import { QUEUE_BOARD_PATH } from '../account/sign-in-address.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { SETTINGS_GROUPS, SETTINGS_PATH, SETTINGS_SCREENS, sectionPath } from './section-titles.ts'

type Entry = { title: string; path: string }

/** The groups of the index with their entries, for owners or for others. */
const groupsFor = (isOwner: boolean): { title: string; entries: readonly Entry[] }[] =>
  [...SETTINGS_GROUPS, { title: 'For developers', sections: [] }].map(({ title, sections }) => ({
    title,
    entries: [
      ...sections.map(({ id, title: name }) => ({ title: name, path: sectionPath(id) })),
      ...SETTINGS_SCREENS.filter(({ group, isForOwners }) => group === title && (isOwner || !isForOwners)),
    ],
  }))

const entryLook = {
  display: 'flex',
  alignItems: 'center',
  minHeight: '2rem',
  '@media (pointer: coarse)': { minHeight: '2.75rem' },
  padding: `0 ${space.snug}`,
  borderRadius: radius.control,
  color: colour.ink,
  fontSize: type.small,
  fontWeight: 500,
  textDecoration: 'none',
  whiteSpace: 'nowrap',
  ':hover': { background: colour.sunk, color: colour.ink },
  '&[aria-current]': { background: colour.accentWash, color: colour.accentDeep, fontWeight: 600 },
} as const

const EntryLink = ({ title, path, isCurrent }: Entry & { isCurrent: boolean }) =>
  path === QUEUE_BOARD_PATH ? (
    // a page of the nodes' own
    <a href={path} css={entryLook}>
      {title}
    </a>
  ) : (
    <Link to={path} aria-current={isCurrent ? 'page' : undefined} css={entryLook}>
      {title}
    </Link>
  )

type GroupProps = ReturnType<typeof groupsFor>[number] & { current: string | undefined }

const Group = ({ title, entries, current }: GroupProps) => (
  <div css={{ display: 'flex', alignItems: 'center', gap: space.hair, [from.large]: { display: 'block' } }}>
    <p
      aria-hidden
      css={{
        padding: `0 ${space.snug}`,
        color: colour.soft,
        fontSize: '0.75rem',
        fontWeight: 500,
        whiteSpace: 'nowrap',
        [from.large]: { paddingBottom: space.hair },
      }}
    >
      {title}
    </p>
    <ul
      aria-label={title}
      css={{ display: 'flex', gap: space.hair, [from.large]: { display: 'grid', gap: '0.0625rem' } }}
    >
      {entries.map((entry) => (
        <li key={entry.path}>
          <EntryLink {...entry} isCurrent={entry.path === current} />
        </li>
      ))}
    </ul>
  </div>
)

/** The index of the settings, always in sight: next to the section on a wide window, else a row above it. */
const Index = () => {
  const { data: me } = useMe()
  const { pathname } = useLocation()
  const groups = groupsFor(me?.role === 'owner')
  const current = pathname === SETTINGS_PATH ? groups[0]?.entries[0]?.path : pathname
  const nav = useRef<HTMLElement>(null)
  // the row of a narrow window scrolls sideways to the current section
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`[href$="${current}"]`)
    if (link && nav.current) nav.current.scrollLeft = link.offsetLeft - nav.current.clientWidth / 3
  }, [current])
  return (
    <nav
      ref={nav}
      aria-label="Settings"
      css={{
        position: 'sticky',
        zIndex: 5,
        top: 'var(--top, 0px)',
        display: 'flex',
        gap: space.base,
        // as wide as the window: the frame's margin next to the screens is smaller on a phone
        marginInline: `-${space.base}`,
        padding: `${space.tight} ${space.base}`,
        overflowX: 'auto',
        background: colour.paper,
        borderBottom: `1px solid ${colour.line}`,
        [from.medium]: { marginInline: `-${space.roomy}`, padding: `${space.tight} ${space.roomy}` },
        [from.large]: {
          top: `calc(${space.base} + var(--top, 0px))`,
          display: 'grid',
          alignSelf: 'start',
          gap: space.base,
          margin: 0,
          padding: 0,
          overflow: 'visible',
          border: 0,
        },
      }}
    >
      {groups.map((group) => (
        <Group key={group.title} {...group} current={current} />
      ))}
    </nav>
  )
}

/** The frame of every screen of the settings: its title, the index, and the screen next to it. */
export const SettingsFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <TopBar title={title} />
    <div
      css={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: `${space.base} ${space.wide}`,
        [from.large]: { gridTemplateColumns: '11rem minmax(0, 1fr)' },
      }}
    >
      <Index />
      <div>{children}</div>
    </div>
  </>
)
