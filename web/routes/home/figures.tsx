import { STATISTICS } from '../../content/home.ts'
import { colour, display, frame, from, space, type } from '../../ui/theme.ts'
import { FigureArtefact } from './figure-artefact.tsx'

/** The statistics row (specification, 2). */
export const Figures = () => (
  <dl
    css={{
      ...frame,
      display: 'grid',
      gridTemplateColumns: '1fr 1fr',
      gap: `${space.roomy} ${space.base}`,
      paddingBlock: space.wide,
      [from.medium]: { gridTemplateColumns: 'repeat(3, 1fr)' },
      [from.large]: { gridTemplateColumns: 'repeat(6, auto)', justifyContent: 'space-between' },
    }}
  >
    {STATISTICS.map(({ figure, label, artefact }) => (
      <div key={label} css={{ display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' }}>
        <dt css={{ maxWidth: '8.5rem', color: colour.soft, fontSize: type.small, lineHeight: 1.4 }}>{label}</dt>
        <dd css={{ ...display, fontSize: '1.75rem', lineHeight: 1.3, whiteSpace: 'nowrap' }}>
          <FigureArtefact artefact={artefact} />
          {figure}
        </dd>
      </div>
    ))}
  </dl>
)
