import { useSyncExternalStore } from 'react'
import { chosenTheme, type Theme } from '../../staff/chosen-theme.ts'
import { SettingsSection } from '../../staff/settings-section.tsx'
import { Button } from '../../ui/button.tsx'
import { space } from '../../ui/theme.ts'

const THEMES: readonly { name: string; theme: Theme | undefined }[] = [
  { name: 'As the system', theme: undefined },
  { name: 'Light', theme: 'light' },
  { name: 'Dark', theme: 'dark' },
]

/** The choice of a light or a dark theme for this device. */
export const Appearance = () => {
  const chosen = useSyncExternalStore(chosenTheme.subscribe, chosenTheme.get)
  return (
    <SettingsSection id="appearance" title="Appearance" intro="The colours of the staff pages on this device.">
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        {THEMES.map(({ name, theme }) => (
          <Button key={name} look="quiet" aria-pressed={chosen === theme} onClick={() => chosenTheme.choose(theme)}>
            {name}
          </Button>
        ))}
      </div>
    </SettingsSection>
  )
}
