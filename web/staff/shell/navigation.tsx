import { Global } from '@emotion/react'
import type { ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import {
  BoardIcon,
  CalendarIcon,
  ChartIcon,
  ChatIcon,
  InboxIcon,
  ListIcon,
  MailIcon,
  MenuIcon,
  SettingsIcon,
  ShieldIcon,
} from '../../ui/icons.tsx'
import { belowWide, colour, from, shadow, space, withBar } from '../../ui/theme.ts'
import { useMe } from '../account.ts'
import { isSettingsPath } from '../settings-sections.ts'
import { sideEntry, sideLabel } from '../side-bar.ts'
import { StuckBadge } from './email-banner.tsx'
import { WaitingBadge } from './waiting-chats.tsx'
import { WaitingLeadsBadge } from './waiting-leads.tsx'

type Screen = { path: string; label: string; icon: ReactNode; badge?: ReactNode; isForOwners?: true }

/**
 * The main screens. On a phone they are the bar at the window's foot, to keep every badge in sight. A `badge` is an
 * element that fetches its own count (CountBadge).
 */
const FIRST_SCREENS: Screen[] = [
  { path: '/admin-today', label: 'Today', icon: <CalendarIcon /> },
  { path: '/admin-dashboard', label: 'Dashboard', icon: <ListIcon />, badge: <WaitingLeadsBadge /> },
  { path: '/admin-chat', label: 'Live chat', icon: <ChatIcon />, badge: <WaitingBadge /> },
  { path: '/admin-email', label: 'Email', icon: <MailIcon />, badge: <StuckBadge /> },
]

/** The other screens: on a phone behind `More`. */
const OTHER_SCREENS: Screen[] = [
  { path: '/admin-pipeline', label: 'Pipeline', icon: <BoardIcon /> },
  { path: '/admin-submissions', label: 'Submissions', icon: <InboxIcon /> },
  { path: '/admin-overview', label: 'Overview', icon: <ChartIcon /> },
  { path: '/admin-privacy', label: 'Privacy', icon: <ShieldIcon />, isForOwners: true },
  { path: '/admin-settings', label: 'Settings', icon: <SettingsIcon /> },
]

const OTHERS_ID = 'other-screens'
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
  '&[aria-current="page"]': { borderColor: colour.accent, color: colour.ink },
} as const

const inMenu = {
  display: 'flex',
  alignItems: 'center',
  minHeight: '3rem',
  padding: `0 ${space.base}`,
  color: colour.ink,
  fontWeight: 600,
  textDecoration: 'none',
  '&[aria-current="page"], &[data-within]': { boxShadow: `inset 3px 0 ${colour.accent}` },
} as const

/** The settings are several screens behind one entry. */
const isWithinSettings = (path: string, pathname: string) => isSettingsPath(path) && isSettingsPath(pathname)

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
        {...(isWithinSettings(path, pathname) && { 'data-within': '' })}
        onClick={() => document.getElementById(OTHERS_ID)?.hidePopover()}
        data-tip={label}
        css={[sideEntry, { [withBar]: isFirst ? inBar : inMenu }]}
      >
        {icon}
        <span css={sideLabel}>{label}</span>
        {badge && isCounted && (
          <span
            css={{
              display: 'inline-flex',
              marginLeft: 'auto',
              ':empty': { display: 'none' },
              [belowWide]: { position: 'absolute', top: '0.125rem', left: 'calc(50% + 0.375rem)' },
              [from.large]: { [belowWide]: { top: '-0.25rem', left: 'auto', right: '-0.125rem' } },
            }}
          >
            {badge}
          </span>
        )}
      </NavLink>
    </li>
  )
}

/** Resets the position, border and background that a popover has by default. */
const column = {
  [from.large]: {
    position: 'static',
    display: 'grid',
    rowGap: '0.125rem',
    width: 'auto',
    height: 'auto',
    margin: 0,
    padding: 0,
    border: 0,
    overflow: 'visible',
    background: 'none',
    color: 'inherit',
  },
} as const

/**
 * The navigation between staff screens: in the side bar if there is room, else a bar at the window's foot, within a
 * thumb's reach, with the rarer ones behind `More`. `--bar` is the bar's height, for content that is fixed at
 * the foot. The badges fetch their counts only if it `isCounted`.
 */
export const Navigation = ({ isCounted }: { isCounted: boolean }) => {
  const { pathname } = useLocation()
  const { data: me } = useMe()
  const isElsewhere = OTHER_SCREENS.some(({ path }) => path === pathname || isWithinSettings(path, pathname))
  return (
    <nav
      aria-label="Staff"
      css={{
        [withBar]: {
          position: 'fixed',
          zIndex: 45,
          inset: 'auto 0 0',
          display: 'grid',
          gridTemplateColumns: '4fr 1fr',
          paddingBottom: 'env(safe-area-inset-bottom)',
          background: colour.sheet,
          borderTop: `1px solid ${colour.line}`,
          ...hiddenWhileTyping,
        },
        [from.large]: { display: 'grid', alignContent: 'start', rowGap: '0.125rem' },
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
      <ul
        css={{
          [withBar]: { display: 'grid', gridTemplateColumns: 'repeat(4, minmax(0, 1fr))', height: BAR_HEIGHT },
          ...column,
        }}
      >
        {FIRST_SCREENS.map((screen) => (
          <Entry key={screen.path} {...screen} isFirst isCounted={isCounted} />
        ))}
      </ul>
      <button
        type="button"
        popoverTarget={OTHERS_ID}
        {...(isElsewhere && { 'data-within': '' })}
        css={{
          ...inBar,
          '&[data-within]': { borderColor: colour.accent, color: colour.ink },
          [from.large]: { display: 'none' },
        }}
      >
        <MenuIcon />
        More
      </button>
      <ul
        id={OTHERS_ID}
        popover="auto"
        css={{
          [withBar]: {
            inset: 'auto 0 var(--bar) auto',
            minWidth: '12rem',
            margin: 0,
            padding: `${space.tight} 0`,
            border: `1px solid ${colour.line}`,
            background: colour.sheet,
            boxShadow: shadow.floating,
          },
          ...column,
        }}
      >
        {OTHER_SCREENS.filter(({ isForOwners }) => !isForOwners || me?.role === 'owner').map((screen) => (
          <Entry key={screen.path} {...screen} isCounted={isCounted} />
        ))}
      </ul>
    </nav>
  )
}
