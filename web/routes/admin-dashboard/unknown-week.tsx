import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useSettings } from '../../staff/settings/settings.ts'
import { space } from '../../ui/theme.ts'

/** Replaces a week's leads until the setting with the first day of the week has loaded. */
export const UnknownWeek = () => {
  const { error, mutate } = useSettings()
  return (
    <div css={{ marginTop: space.roomy }}>
      {error ? (
        <FetchFailure title="Error loading settings" error={error} retry={() => mutate()} />
      ) : (
        <Placeholder title="Loading submissions..." />
      )}
    </div>
  )
}
