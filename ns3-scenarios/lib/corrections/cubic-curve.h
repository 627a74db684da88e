// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CUBIC_CURVE_H
#define TCPSWEEP_CUBIC_CURVE_H

namespace tcpsweep
{

/// The window of a stage of congestion avoidance in CUBIC, RFC 9438. Windows are in segments, times
/// in seconds.
class CubicCurve
{
  public:
    CubicCurve() = default;
    /**
     * @param scale the constant C
     * @param decrease the factor beta by which a loss reduces the window
     */
    CubicCurve(double scale, double decrease);

    /**
     * A loss ends the stage, sections 4.6 and 4.7.
     *
     * @param window the window before
     * @param converges whether a flow whose windows become smaller leaves room for others
     */
    void Reduce(double window, bool converges);
    /// A timeout ends the stage, section 4.8.
    void Forget();
    /// @param window the window with which a stage begins
    void Begin(double window);
    /**
     * Let the window of Reno grow, section 4.3.
     *
     * @param segments segments that an ACK reports
     * @param window the present window
     */
    void GrowReno(double segments, double window);

    /// @return whether there was a loss
    bool HasLost() const;
    /// @return the window W_cubic at a time after the begin, section 4.2
    double At(double time) const;
    /// @return the window W_est that Reno would have
    double Reno() const;

  private:
    double m_scale{0.4};      //!< C
    double m_decrease{0.7};   //!< beta
    double m_max{0};          //!< W_max, zero without a loss
    double m_origin{0};       //!< W_max of the present stage
    double m_timeToOrigin{0}; //!< K
    double m_reno{0};         //!< W_est
    bool m_hasLost{false};    //!< whether there was a loss
};

} // namespace tcpsweep

#endif // TCPSWEEP_CUBIC_CURVE_H
