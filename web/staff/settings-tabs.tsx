import { NavLink } from 'react-router'
import { colour, radius, space } from '../ui/theme.ts'
import { useMe } from './account.ts'

/** The screens of the settings; those for owners are hidden from others. */
const TABS = [
  { path: '/admin-settings', label: 'Agency', isForOwners: false },
  { path: '/admin-webhooks', label: 'Webhook log', isForOwners: false },
  { path: '/admin-api', label: 'API', isForOwners: false },
  { path: '/admin-account-history', label: 'Sign-ins', isForOwners: true },
  { path: '/admin-account', label: 'Your account', isForOwners: false },
]

/** Whether a path is one of the settings' screens. */
export const isSettingsPath = (pathname: string) => TABS.some(({ path }) => path === pathname)

/** Links from one screen of the settings to the others. */
export const SettingsTabs = () => {
  const { data: me } = useMe()
  return (
    <nav aria-label="Settings" css={{ marginBottom: space.roomy }}>
      <ul css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        {TABS.filter(({ isForOwners }) => !isForOwners || me?.role === 'owner').map(({ path, label }) => (
          <li key={path}>
            <NavLink
              to={path}
              css={{
                display: 'inline-flex',
                alignItems: 'center',
                minHeight: '2.25rem',
                padding: `0 ${space.snug}`,
                border: `1px solid ${colour.line}`,
                borderRadius: radius.control,
                color: colour.ink,
                fontSize: '0.875rem',
                fontWeight: 600,
                textDecoration: 'none',
                ':hover': { borderColor: colour.edge, color: colour.ink },
                '&[aria-current="page"]': { borderColor: colour.ink, background: colour.ink, color: colour.onInk },
              }}
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
