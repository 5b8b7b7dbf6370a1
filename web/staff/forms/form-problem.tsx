import { colour, radius, space, type } from '../../ui/theme.ts'

/** Why a form was not sent, if no field shows it; read out as it appears. */
export const FormProblem = ({ problem }: { problem: string | undefined }) => (
  <div role="alert" css={{ ':empty': { display: 'none' } }}>
    {problem && (
      <p
        css={{
          padding: space.snug,
          borderRadius: radius.control,
          background: colour.badWash,
          color: colour.bad,
          fontSize: type.small,
          fontWeight: 500,
        }}
      >
        {problem}
      </p>
    )}
  </div>
)
