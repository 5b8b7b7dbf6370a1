import { css, Global } from '@emotion/react'
import type { ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import {
  CalendarIcon,
  ChartIcon,
  ChatIcon,
  DocumentIcon,
  ListIcon,
  MenuIcon,
  SettingsIcon,
  ShieldIcon,
} from '../../ui/icons.tsx'
import { colour, from, space, type, withBar } from '../../ui/theme.ts'
import { useMedia } from '../../ui/use-media.ts'
import { PRESET_VIEWS } from '../leads/list/preset-views.ts'
import { useSavedViews } from '../list/saved-views.ts'
import { closeMenu, floating, menuEntry } from '../menu.tsx'
import { isSettingsPath } from '../settings/section-titles.ts'
import { ICONS_ALONE, iconsAlone, sideEntry, sideLabel } from '../side-bar.ts'
import { StuckBadge } from './email-banner.tsx'
import { WaitingBadge } from './waiting-chats.tsx'
import { OverdueBadge, WaitingLeadsBadge } from './waiting-leads.tsx'

type Screen = { path: string; label: string; icon: ReactNode; badge?: ReactNode; isForOwners?: boolean }

/**
 * The main screens. On a phone they are the bar at the window's foot. A `badge` is an element that fetches its own count
 * (CountBadge).
 */
const FIRST_SCREENS: Screen[] = [
  { path: '/admin-today', label: 'Today', icon: <CalendarIcon />, badge: <OverdueBadge /> },
  { path: '/admin-dashboard', label: 'Leads', icon: <ListIcon />, badge: <WaitingLeadsBadge /> },
  { path: '/admin-chat', label: 'Chat', icon: <ChatIcon />, badge: <WaitingBadge /> },
  { path: '/admin-contracts', label: 'Contracts', icon: <DocumentIcon /> },
]

/** The other screens: on a phone behind `More`. */
const OTHER_SCREENS: Screen[] = [
  { path: '/admin-overview', label: 'Overview', icon: <ChartIcon /> },
  { path: '/admin-privacy', label: 'Privacy', icon: <ShieldIcon />, isForOwners: true },
  { path: '/admin-settings', label: 'Settings', icon: <SettingsIcon />, badge: <StuckBadge /> },
]

const MORE_ID = 'more'
const BAR_HEIGHT = '3.5rem'

/** During typing, the form has all of a small window. */
const hiddenWhileTyping = {
  'body:has(main :is(textarea, input:not([type=checkbox], [type=radio])):focus) &': { visibility: 'hidden' },
} as const

const inBar = {
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '0.125rem',
  width: '100%',
  height: '100%',
  padding: 0,
  border: 0,
  borderTop: '2px solid transparent',
  background: 'none',
  color: colour.soft,
  fontSize: '0.75rem',
  fontWeight: 600,
  lineHeight: 1.3,
  textDecoration: 'none',
  '& svg': { fontSize: '1.0625rem' },
  ':focus-visible': { outlineOffset: -3 },
  '&[aria-current="page"], &[data-within]': { borderColor: colour.accent, color: colour.ink },
} as const

const inSheet = {
  ...menuEntry,
  '&[aria-current], &[data-within]': { background: colour.accentWash, color: colour.accentDeep },
}

const firstEntry = css([sideEntry, { [withBar]: inBar }])
const otherEntry = css([sideEntry, { [withBar]: inSheet }])
const viewEntry = css([
  sideEntry,
  {
    minHeight: '1.875rem',
    overflowWrap: 'anywhere',
    [withBar]: inSheet,
    '&[aria-current]': { color: colour.accentDeep },
  },
])

/** The other screens of leads, behind their one entry. */
const LEADS_SCREENS = ['/admin-pipeline', '/admin-submissions', '/admin-import']

/** Whether a screen is behind the entry of another one: of the leads, or of the settings. */
const isWithin = (path: string, pathname: string) =>
  path === '/admin-dashboard' ? LEADS_SCREENS.includes(pathname) : isSettingsPath(path) && isSettingsPath(pathname)

const Entry = ({
  path,
  label,
  icon,
  badge,
  isFirst = false,
  isCounted,
}: Screen & { isFirst?: boolean; isCounted: boolean }) => {
  const { pathname } = useLocation()
  return (
    <li>
      <NavLink
        to={path}
        {...(isWithin(path, pathname) && { 'data-within': '' })}
        data-tip={label}
        css={isFirst ? firstEntry : otherEntry}
      >
        {icon}
        <span css={sideLabel}>{label}</span>
        {badge && isCounted && (
          <span
            css={{
              display: 'inline-flex',
              marginLeft: 'auto',
              ':empty': { display: 'none' },
              ...(isFirst && {
                [withBar]: { position: 'absolute', top: '0.125rem', left: 'calc(50% + 0.375rem)' },
              }),
              [iconsAlone]: { position: 'absolute', top: '-0.25rem', right: '-0.125rem' },
            }}
          >
            {badge}
          </span>
        )}
      </NavLink>
    </li>
  )
}

/** The built-in lists of leads and the account's own ones; not where the side bar has icons alone. */
const Views = () => {
  const { pathname, search } = useLocation()
  const { views } = useSavedViews()
  const hasLabels = !useMedia(ICONS_ALONE)
  const shown = new URLSearchParams(search)
  shown.delete('page')
  return hasLabels ? (
    <nav aria-label="Views" css={{ marginTop: space.snug }}>
      <p css={{ padding: `0 ${space.snug}`, color: colour.soft, fontSize: type.small, fontWeight: 600 }}>Views</p>
      <ul>
        {[...PRESET_VIEWS.map((view) => ({ ...view, id: view.name })), ...views].map(({ id, name, query }) => (
          <li key={id}>
            <Link
              to={`/admin-dashboard?${query}`}
              {...(pathname === '/admin-dashboard' &&
                query === shown.toString() && { 'aria-current': 'true' as const })}
              css={viewEntry}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  ) : null
}

const list = { display: 'grid', rowGap: '0.125rem' } as const

/**
 * The navigation between staff screens: in the side bar if there is room, else a bar at the window's foot, within a
 * thumb's reach, with all else behind `More`. `--bar` is the bar's height, for content that is fixed at the foot. The
 * badges fetch their counts only if it `isCounted`. `search` opens the palette, `account` is the account's menu; without
 * `hasScreens` these are all.
 */
export const Navigation = ({
  hasScreens,
  isCounted,
  isOwner,
  search,
  account,
}: {
  hasScreens: boolean
  isCounted: boolean
  isOwner: boolean
  search: ReactNode
  account: ReactNode
}) => {
  const { pathname } = useLocation()
  const shown = (screens: Screen[]) => (hasScreens ? screens.filter(({ isForOwners }) => !isForOwners || isOwner) : [])
  const isElsewhere = OTHER_SCREENS.some(({ path }) => path === pathname || isWithin(path, pathname))
  const Bar = hasScreens ? 'nav' : 'div'
  return (
    <Bar
      {...(hasScreens && { 'aria-label': 'Staff' })}
      css={{
        [withBar]: {
          position: 'fixed',
          zIndex: 45,
          inset: 'auto 0 0',
          display: 'grid',
          gridAutoFlow: 'column',
          gridAutoColumns: 'minmax(0, 1fr)',
          paddingBottom: 'env(safe-area-inset-bottom)',
          background: colour.sheet,
          borderTop: `1px solid ${colour.line}`,
          ...hiddenWhileTyping,
        },
        [from.large]: { display: 'flex', flexDirection: 'column', flex: 1, rowGap: '0.125rem' },
        '@media print': { display: 'none' },
      }}
    >
      <Global
        styles={{
          html: {
            [withBar]: {
              '--bar': `calc(${BAR_HEIGHT} + env(safe-area-inset-bottom))`,
              scrollPaddingBottom: 'calc(var(--bar) + 1rem)',
            },
          },
        }}
      />
      <ul css={{ [withBar]: { display: 'contents', '& > li': { height: BAR_HEIGHT } }, [from.large]: list }}>
        {shown(FIRST_SCREENS).map((screen) => (
          <Entry key={screen.path} {...screen} isFirst isCounted={isCounted} />
        ))}
      </ul>
      <button
        type="button"
        popoverTarget={MORE_ID}
        {...(isElsewhere && { 'data-within': '' })}
        css={{
          ...inBar,
          height: BAR_HEIGHT,
          [from.large]: { display: 'none' },
        }}
      >
        <MenuIcon />
        More
      </button>
      {/* biome-ignore lint: keys press the buttons in it */}
      <div
        id={MORE_ID}
        popover="auto"
        onClick={closeMenu}
        css={{
          [withBar]: {
            ...floating,
            inset: 'auto 0 var(--bar) auto',
            margin: 0,
            maxHeight: 'calc(100dvh - var(--bar))',
          },
          // its parts are in the side bar
          [from.large]: { display: 'contents' },
        }}
      >
        <div css={{ [from.large]: { order: -1, marginBottom: space.tight } }}>{search}</div>
        <ul css={list}>
          {shown(OTHER_SCREENS).map((screen) => (
            <Entry key={screen.path} {...screen} isCounted={isCounted} />
          ))}
        </ul>
        {hasScreens && isCounted && <Views />}
        <div css={{ [from.large]: { marginTop: 'auto', paddingTop: space.snug } }}>{account}</div>
      </div>
    </Bar>
  )
}
