import { useLocation } from 'react-router'
import { useMe } from '../../staff/account/account.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { SETTINGS_SECTIONS, sectionPath, sectionTitle } from '../../staff/settings/section-titles.ts'
import { useSettings } from '../../staff/settings/settings.ts'
import { SettingsFrame } from '../../staff/settings/settings-frame.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { colour, space } from '../../ui/theme.ts'
import { SECTIONS } from './sections.ts'

const useSection = () => {
  const { pathname } = useLocation()
  const { id } = SETTINGS_SECTIONS.find((section) => sectionPath(section.id) === pathname) ?? SETTINGS_SECTIONS[0] ?? {}
  return SECTIONS.find((section) => section.id === id) ?? SECTIONS[0]
}

/** One section of the agency's settings: a form for owners, read-only for agents. */
export const SettingsScreen = () => {
  const { id, intro, Form, Shown } = useSection()
  const title = sectionTitle(id)
  useTitle(`${title} · Settings`)
  const { data: me } = useMe()
  const { data, error, mutate } = useSettings()
  return (
    <SettingsFrame title={title}>
      <section key={id} aria-label={title} css={{ maxWidth: '46rem' }}>
        <p css={{ marginBottom: space.base, color: colour.soft }}>{intro}</p>
        {me?.role === 'agent' && (
          <p css={{ marginBottom: space.base, color: colour.soft }}>Only admins can change settings.</p>
        )}
        <Pending what="settings" isLoading={!data || !me} error={error} retry={() => mutate()} />
        {data && me && (me.role === 'owner' ? <Form settings={data} accountId={me.id} /> : <Shown settings={data} />)}
      </section>
    </SettingsFrame>
  )
}
