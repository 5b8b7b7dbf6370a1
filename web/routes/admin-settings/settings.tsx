import { useCallback, useState } from 'react'
import type { Settings } from '../../../events/settings/wire.ts'
import type { Me } from '../../../events/staff/wire.ts'
import { useMe } from '../../staff/account.ts'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { type SettingsPart, useSettings } from '../../staff/settings.ts'
import { SettingsSection } from '../../staff/settings-section.tsx'
import { SettingsTabs } from '../../staff/settings-tabs.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { colour, from, space } from '../../ui/theme.ts'
import { SectionIndex } from './section-index.tsx'
import { GROUPS } from './sections.ts'

/** The sections below each other, with the navigation between them alongside: forms for owners, read-only for agents. */
const Sections = ({ settings, me }: { settings: Settings; me: Me }) => {
  const [dirty, setDirty] = useState<ReadonlySet<string>>(new Set())
  const onDirty = useCallback((part: SettingsPart, isDirty: boolean) => {
    setDirty((before) => {
      if (before.has(part) === isDirty) return before
      const after = new Set(before)
      if (isDirty) after.add(part)
      else after.delete(part)
      return after
    })
  }, [])
  return (
    <div
      css={{
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: `${space.roomy} ${space.broad}`,
        marginTop: space.roomy,
        [from.large]: { gridTemplateColumns: '13rem minmax(0, 1fr)', marginTop: space.wide },
      }}
    >
      <SectionIndex unsaved={dirty} />
      <div>
        {GROUPS.flatMap(({ sections }) => sections).map(({ id, title, intro, Form, Shown }) => (
          <SettingsSection key={id} isStacked id={id} title={title} intro={intro}>
            {me.role === 'owner' ? (
              <Form settings={settings} accountId={me.id} onDirty={onDirty} />
            ) : (
              <Shown settings={settings} />
            )}
          </SettingsSection>
        ))}
      </div>
    </div>
  )
}

/** The agency's settings, and its staff. */
export const SettingsScreen = () => {
  useTitle('Settings')
  const { data: me } = useMe()
  const { data, error, mutate } = useSettings()
  return (
    <>
      <TopBar title="Settings">
        <SettingsTabs />
      </TopBar>
      <p css={{ maxWidth: '40rem', marginTop: space.tight, color: colour.soft }}>
        {me?.role === 'agent'
          ? 'You can read what is set. Only owners can change it: ask one of them.'
          : 'Save each section that you change. What is saved applies immediately (open chats: within a minute).'}
      </p>
      {error && <FetchFailure title="Error loading settings" error={error} retry={() => mutate()} />}
      {(!data || !me) && !error && <Placeholder title="Loading settings..." />}
      {data && me && <Sections settings={data} me={me} />}
    </>
  )
}
